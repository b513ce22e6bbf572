import autocannon from 'autocannon'

export type Load = { readonly perSecond: number; readonly p99Ms: number; readonly failed: number }

const connections = 64

/** Requests for these paths in turn, from a thread of its own. */
export const load = async (
  url: string,
  paths: readonly string[],
  seconds: number,
): Promise<Load> => {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  const result = await autocannon({ url, connections, duration: seconds, workers: 1, requests })
  return {
    perSecond: result.requests.average,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
