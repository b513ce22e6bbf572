import autocannon from 'autocannon'

export type Load = { readonly perSecond: number; readonly p99Ms: number; readonly failed: number }

const connections = 64
/** On a machine that has much else to do an answer may be late, and is still right. */
const timeout = 120

/** Requests for these paths in turn, from a thread of its own. */
export const load = async (
  url: string,
  paths: readonly string[],
  seconds: number,
): Promise<Load> => {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  // Samples of a second, of which a shorter run would have none.
  const sampleInt = Math.min(1, seconds) * 1000
  const pace = { connections, timeout, duration: seconds, sampleInt, workers: 1 }
  const result = await autocannon({ url, requests, ...pace })
  return {
    perSecond: (result.requests.average / sampleInt) * 1000,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
