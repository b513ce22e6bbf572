import { enableCompiledCode } from '../compile-cache.ts'

/** Where the thread begins, before anything large is loaded. */
enableCompiledCode()
await import('./worker.ts')
