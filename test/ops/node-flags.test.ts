import { expect, test } from 'vitest'
import { nodeEnvironment, nodeFlags } from '../service/launch.ts'
import { readText } from './manifests.ts'

// Whoever starts the service gives node the same flags and environment, and tests and benchmark
// measure with them.
test.each(['bin/stockpools.mjs', 'ops/Containerfile', 'ops/systemd/stockpools.service'])(
  '%s gives what the service is tested with',
  (path) => {
    const text = readText(path)
    for (const flag of nodeFlags) expect(text).toContain(flag)
    for (const [name, value] of Object.entries(nodeEnvironment)) {
      expect(text).toMatch(new RegExp(`${name}(=|: ')${value}\\b`))
    }
  },
)
