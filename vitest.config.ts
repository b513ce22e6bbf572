import { defineConfig } from 'vitest/config'

const common = {
  testTimeout: 20_000,
  hookTimeout: 120_000,
  setupFiles: ['test/setup/properties.ts'],
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          include: ['{src,sandbox,test,dashboard}/**/*.test.ts'],
          exclude: ['test/service/**', 'test/distributed/**', 'test/abuse/**'],
        },
      },
      {
        test: {
          ...common,
          name: 'abuse',
          include: ['test/abuse/**/*.test.ts'],
          // What is measured here is what others feel: alone, one after the other, at the end.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          // Measured again where the machine was too busy to tell, and on such a machine slowly.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...common,
          name: 'service',
          include: ['test/{service,distributed}/**/*.test.ts'],
          // One service with its sandbox for all of them: to start it takes twenty seconds.
          globalSetup: ['test/service/setup.ts'],
          // Many processes on a machine that may have much else to do: what never ends fails here,
          // what is late does not. How fast something is, a test says by itself.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
