/*
 * Reads a data feed as a charting library does that scrolls to the left (the convention of UDF,
 * https://www.tradingview.com/charting-library-docs/latest/connecting_data/UDF): each request ends
 * where the oldest bar so far begins. `no_data` with `nextTime` says where older bars are, and
 * without it is the end.
 */

export type UdfBar = {
  readonly ts: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volumeUsd: number | null
}

type Walk = {
  readonly read: (query: string) => Promise<ReturnType<typeof JSON.parse>>
  /** `symbol` and `resolution`. */
  readonly query: string
  readonly to: number
  readonly barSeconds: number
  /** Bars of each request. */
  readonly bars: number
  /** True as present libraries ask, false as earlier ones that know no `countback`. */
  readonly countsBack: boolean
}

const requestsMax = 10_000

/** All bars before `to`, oldest first. */
export const walkBack = async (walk: Walk): Promise<readonly UdfBar[]> => {
  const { read, query, barSeconds, bars, countsBack } = walk
  const pages: (readonly UdfBar[])[] = []
  let { to } = walk
  for (let requests = 0; requests < requestsMax; requests++) {
    const from = to - bars * barSeconds
    const end = countsBack ? `&countback=${bars}` : ''
    const reply = await read(`${query}&from=${from}&to=${to}${end}`)
    if (reply.s === 'no_data') {
      if (reply.nextTime === undefined) return pages.toReversed().flat()
      if (reply.nextTime >= to) throw new Error(`nextTime ${reply.nextTime} is not before ${to}`)
      // The next range ends behind that bar.
      to = reply.nextTime + 1
      continue
    }
    if (reply.s !== 'ok') throw new Error(`${query}: ${reply.errmsg}`)
    const { t, o, h, l, c, v } = reply
    if (t.at(-1) >= to) throw new Error(`a bar of ${t.at(-1)} is not before ${to}`)
    pages.push(
      (t as readonly number[]).map((ts, at) => ({
        ...{ ts, open: o[at], high: h[at], low: l[at], close: c[at], volumeUsd: v[at] },
      })),
    )
    to = t[0]
  }
  throw new Error(`${query}: no end after ${requestsMax} requests`)
}
