import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside the packages: a process that can write there can change the code anyway. */
export const compiledDirectory = fileURLToPath(
  new URL('../../node_modules/.cache/stockpools', import.meta.url),
)

/** Everything that a start needs is loaded by then; a later kill keeps the cache. */
const flushMs = 2_000

/**
 * Caches the stripped and compiled sources for the next start, which halves the time to load the
 * modules. Has no effect if the folder is not writable.
 */
export const enableCompiledCode = (): void => {
  enableCompileCache(compiledDirectory)
  setTimeout(flushCompileCache, flushMs).unref()
}
