import { enableCompiledCode } from '../compile-cache.ts'

/** Entry of the thread: enables the cache before any large import. */
enableCompiledCode()
await import('./worker.ts')
