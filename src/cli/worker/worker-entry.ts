import { keepCompiled } from '../compile-cache.ts'

/** Where the thread begins, before anything large is loaded. */
keepCompiled()
await import('./worker.ts')
