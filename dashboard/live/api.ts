import { createClient } from '../../src/client/client.ts'

/**
 * Bypasses the browser's cache: responses may be cached for some seconds, and after a rollback a
 * cached one would be of the replaced branch.
 */
const fetchUncached: typeof fetch = (target, options) =>
  globalThis.fetch(target, { ...options, cache: 'no-cache' })

/** Client of the service that serves this page. */
export const api = createClient(location.origin, { timeoutMs: 8000, fetch: fetchUncached })
