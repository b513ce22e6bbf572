import { defineConfig } from 'vitest/config'
import { InTurns } from './test/setup/sequence.ts'

/**
 * What never ends fails by these, what is late does not: the slowest test takes a minute alone,
 * but a machine may be slow, and busy with other things. How fast something is, a test says itself.
 */
const common = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
  setupFiles: ['test/setup/properties.ts'],
}

/** These start processes, threads, databases or browsers; test/tidy checks that no other does. */
const integration = '{src,sandbox,dashboard}/**/*.integration.test.ts'

export default defineConfig({
  test: {
    // Twice the two cores that are asked for: many wait for a block or another process.
    maxWorkers: 4,
    sequence: { sequencer: InTurns },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['{src,sandbox,dashboard}/**/*.test.ts'],
          exclude: [integration],
          // Modules keep memos at most, which change no answer: one process tests many files.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'integration',
          include: [integration, 'test/**/*.test.ts'],
          exclude: ['test/{service,distributed,abuse}/**'],
        },
      },
      {
        test: {
          ...common,
          name: 'abuse',
          include: ['test/abuse/**/*.test.ts'],
          // What is measured here is what others feel: at the end, and one for each core.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'service',
          include: ['test/{service,distributed}/**/*.test.ts'],
          // One service with its sandbox for most of them: to start it takes twenty seconds.
          globalSetup: ['test/service/setup.ts'],
        },
      },
    ],
  },
})
