import autocannon from 'autocannon'

export type Load = { readonly perSecond: number; readonly p99Ms: number; readonly failed: number }

const connections = 64
/** Generous, because a late response on a busy machine is not a failure. */
const timeout = 120

/** Requests these paths in turn from a worker thread. */
export const load = async (
  url: string,
  paths: readonly string[],
  seconds: number,
): Promise<Load> => {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  // Shortens the sampling interval for runs below one second.
  const sampleInt = Math.min(1, seconds) * 1000
  const timing = { connections, timeout, duration: seconds, sampleInt, workers: 1 }
  const result = await autocannon({ url, requests, ...timing })
  return {
    perSecond: (result.requests.average / sampleInt) * 1000,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
