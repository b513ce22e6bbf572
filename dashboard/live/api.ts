import { createClient } from '../../src/client/client.ts'

/** The service that this page came from. */
export const api = createClient(location.origin, { timeoutMs: 8000 })
