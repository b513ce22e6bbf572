/* Builds the dashboard into the directory that is named: see dashboard.mjs. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const [outDir = join(root, 'dist', 'dashboard')] = process.argv.slice(2)

/** Names without hashes: the server knows them, and lets browsers ask about each every time. */
const output = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  assetFileNames: 'app[extname]',
}

// Every build, also that of a test run, replaces the served files.
process.env.NODE_ENV = 'production'

await build({
  configFile: false,
  root: join(root, 'dashboard'),
  base: '/dashboard/',
  logLevel: 'error',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: { app: join(root, 'dashboard', 'index.html') }, output },
  },
})
