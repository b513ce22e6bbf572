import { createClient } from '../../src/client/client.ts'
import { takeFirstAnswer } from './first-answers.ts'
import { noteRefusal } from './refusal.ts'

/**
 * Bypasses the browser's cache: responses may be cached for some seconds, and after a rollback a
 * cached one would be of the replaced branch.
 */
const fetchUncached: typeof fetch = async (target, options) => {
  const first = typeof target === 'string' ? takeFirstAnswer(target) : null
  if (first !== null) return first
  const response = await globalThis.fetch(target, { ...options, cache: 'no-cache' })
  noteRefusal(response)
  return response
}

const options = { timeoutMs: 8000, fetch: fetchUncached }

/** Client of the service that serves this page. */
export const api = createClient(location.origin, options)

/** The same for a question of the reader, who is to hear of a refusal at once. */
export const apiWithoutRetries = createClient(location.origin, { ...options, retriesMax: 0 })
