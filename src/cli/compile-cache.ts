import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside the packages: whoever may write there may change what is run anyway. */
export const compiledDirectory = fileURLToPath(
  new URL('../../node_modules/.cache/stockpools', import.meta.url),
)

/** By then all that a start needs is loaded; who is killed later starts as fast again. */
const flushMs = 2_000

/**
 * Keeps what node makes of the sources (types stripped, code compiled) for the next start of this
 * thread: to load its modules takes half the time then. Nothing is kept, and nothing else changes,
 * where the folder can not be written.
 */
export const enableCompiledCode = (): void => {
  enableCompileCache(compiledDirectory)
  setTimeout(flushCompileCache, flushMs).unref()
}
