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
          include: ['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/service/**'],
        },
      },
      {
        test: {
          ...common,
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          // One service with its sandbox for all of them: to start it takes twenty seconds.
          globalSetup: ['test/service/setup.ts'],
        },
      },
    ],
  },
})
