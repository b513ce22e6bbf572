import { fileURLToPath } from 'node:url'
import autocannon, { type Request } from 'autocannon'

export type Load = { readonly perSecond: number; readonly p99Ms: number; readonly failed: number }

const connections = 64
/** Generous, because a late response on a busy machine is not a failure. */
const timeout = 120

/** Stands for nine digits, others in each request, in a path or a body. */
export const requestNumber = '{n}'
/** With some number. */
export const toNumbered = (text: string): string => text.replace(requestNumber, '123456789')

const setupRequest = fileURLToPath(new URL('./number-request.ts', import.meta.url))

const numbered = (request: Request): Request =>
  [request.path, request.body].some((text) => text?.includes(requestNumber))
    ? { ...request, setupRequest }
    : request

/** Sends these requests in turn from a worker thread. */
export const loadRequests = async (
  url: string,
  requests: readonly Request[],
  seconds: number,
): Promise<Load> => {
  // Shortens the sampling interval for runs below one second.
  const sampleInt = Math.min(1, seconds) * 1000
  const timing = { connections, timeout, duration: seconds, sampleInt, workers: 1 }
  const result = await autocannon({ url, requests: requests.map(numbered), ...timing })
  return {
    perSecond: (result.requests.average / sampleInt) * 1000,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

/** Requests these paths in turn from a worker thread. */
export const load = (url: string, paths: readonly string[], seconds: number): Promise<Load> =>
  loadRequests(
    url,
    paths.map((path) => ({ method: 'GET', path })),
    seconds,
  )
