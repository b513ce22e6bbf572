import type { JsonRecord } from '../../src/net/json.ts'
import { serve } from '../support/net/loopback.ts'

/** Answers to the paths of one pool, and health; undefined leaves an answer as it is. */
export type ServiceLie = (
  part: 'record' | 'provenance' | 'swaps' | 'health',
  body: JsonRecord,
) => unknown

const partOf = (path: string): Parameters<ServiceLie>[0] | null => {
  if (path === '/api/v1/health') return 'health'
  const found = /^\/api\/v1\/pools\/0x[0-9a-f]+(?:\/(provenance|swaps))?(?:\?|$)/.exec(path)
  return found === null ? null : ((found[1] ?? 'record') as 'record' | 'provenance' | 'swaps')
}

/** A real HTTP server in front of a real service that publishes what is not so. */
export const startLyingService = async (truthUrl: string, lie: ServiceLie) => {
  const { url } = await serve(async ({ path }, response) => {
    const answer = await fetch(`${truthUrl}${path}`)
    const text = await answer.text()
    const part = partOf(path)
    const body = JSON.parse(text) as JsonRecord
    const changed = part === null || answer.status !== 200 ? undefined : lie(part, body)
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(changed === undefined ? text : JSON.stringify(changed))
  })
  return url
}
