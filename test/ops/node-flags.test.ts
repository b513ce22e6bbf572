import { expect, test } from 'vitest'
import { nodeEnvironment, nodeFlags } from '../service/launch.ts'
import { readText } from './manifests.ts'

// Every way to start the service gives node the same flags and environment. Tests and benchmarks
// use them as well.
test.each(['bin/stockpools.mjs', 'ops/Containerfile', 'ops/systemd/stockpools.service'])(
  '%s sets the flags that the tests use',
  (path) => {
    const text = readText(path)
    for (const flag of nodeFlags) expect(text).toContain(flag)
    for (const [name, value] of Object.entries(nodeEnvironment)) {
      expect(text).toMatch(new RegExp(`${name}(=|: ')${value}\\b`))
    }
  },
)
