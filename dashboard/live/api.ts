import { createClient } from '../../src/client/client.ts'

/**
 * Bypasses the browser's cache: responses may be cached for some seconds, and after a rollback a
 * cached one would be of the replaced branch.
 */
const fetchUncached: typeof fetch = (target, options) =>
  globalThis.fetch(target, { ...options, cache: 'no-cache' })

const options = { timeoutMs: 8000, fetch: fetchUncached }

/** Client of the service that serves this page. */
export const api = createClient(location.origin, options)

/** The same for a question of the reader, who is to hear of a refusal at once. */
export const apiWithoutRetries = createClient(location.origin, { ...options, retriesMax: 0 })
