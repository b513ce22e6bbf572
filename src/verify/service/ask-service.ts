import type { Outcome } from '../../domain/outcome.ts'
import { type HttpClient, type HttpResponse, hostOf } from '../../net/http-client.ts'
import { isRecord, parseJson } from '../../net/json.ts'
import { decodeBody } from '../../net/response-body.ts'
import type { Timer } from '../../net/timer.ts'
import type { Pace } from '../node/pace.ts'
import { type ServiceFault, serviceFault } from './service-fault.ts'

/** Reads one path of the service, which begins with a slash, as JSON. */
export type AskService = (path: string) => Promise<Outcome<unknown, ServiceFault>>

const deadlineMs = 30_000
/** The provenance of a pool with the longest list of ticks is far below this. */
const bytesMax = 16 * 1024 * 1024
const attemptsMax = 6
const firstPauseMs = 500
const pauseSecondsMax = 90
const reasonCharsMax = 300

/** Statuses of a service that is busy, or limits its clients. */
const passingStatuses: readonly number[] = [429, 503]

/** What the problem document says; its text is the service's own. */
const problemText = (body: unknown): string | null => {
  if (!isRecord(body)) return null
  const { error, detail } = body
  const text = isRecord(error) && typeof error.message === 'string' ? error.message : detail
  return typeof text === 'string' ? text.slice(0, reasonCharsMax) : null
}

const readResponse = (
  { status, body }: HttpResponse,
  host: string,
): Outcome<unknown, ServiceFault> => {
  const json = parseJson(decodeBody(body))
  if (status === 200) {
    return json.ok ? json : serviceFault('malformed', `${host} answered with no JSON`)
  }
  const said = json.ok ? problemText(json.value) : null
  const reason = `${host}: ${said ?? `HTTP ${status}`}`
  if (status === 404 && said !== null) return serviceFault('not-found', reason)
  return serviceFault(passingStatuses.includes(status) ? 'unreachable' : 'refused', reason)
}

/** Repeats what passes, no sooner than the service asks for. */
export const createAskService = (deps: {
  readonly url: string
  readonly httpClient: HttpClient
  readonly timer: Timer
  readonly pace: Pace
}): AskService => {
  const { httpClient, timer, pace } = deps
  const base = deps.url.replace(/\/+$/, '')
  const host = hostOf(deps.url)

  const ask = async (path: string, attempt = 1): Promise<Outcome<unknown, ServiceFault>> => {
    await pace.wait()
    const headers = { accept: 'application/json' }
    const url = `${base}${path}`
    const read = await httpClient({ url, method: 'GET', headers, deadlineMs, bytesMax })
    const isPassing = read.ok
      ? passingStatuses.includes(read.value.status)
      : read.fault.kind !== 'too-large'
    if (isPassing && attempt < attemptsMax) {
      const seconds = read.ok ? (read.value.retryAfterSeconds ?? 0) : 0
      const pauseMs = firstPauseMs * 2 ** (attempt - 1)
      await timer.sleep(Math.max(Math.min(seconds, pauseSecondsMax) * 1000, pauseMs))
      return ask(path, attempt + 1)
    }
    if (read.ok) return readResponse(read.value, host)
    const kind = read.fault.kind === 'too-large' ? 'malformed' : 'unreachable'
    return serviceFault(kind, `${host} does not answer: ${read.fault.detail}`)
  }
  return (path) => ask(path)
}
