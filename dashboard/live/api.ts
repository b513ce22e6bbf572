import { createClient } from '../../src/client/client.ts'

/**
 * What is asked again is to be newer. The API lets anybody keep an answer for some seconds, and a
 * browser would give it once more: after a rollback that of the branch that is gone.
 */
const fetchNew: typeof fetch = (target, options) =>
  globalThis.fetch(target, { ...options, cache: 'no-cache' })

/** The service that this page came from. */
export const api = createClient(location.origin, { timeoutMs: 8000, fetch: fetchNew })
