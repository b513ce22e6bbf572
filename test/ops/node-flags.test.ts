import { expect, test } from 'vitest'
import { nodeFlags } from '../service/launch.ts'
import { readText } from './manifests.ts'

// Whoever starts the service gives node the same flags, and tests and benchmark measure with them.
test.each(['bin/stockpools.mjs', 'ops/Containerfile', 'ops/systemd/stockpools.service'])(
  '%s gives the flags that the service is tested with',
  (path) => {
    for (const flag of nodeFlags) expect(readText(path)).toContain(flag)
  },
)
