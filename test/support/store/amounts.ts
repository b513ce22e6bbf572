import type { Trade, TradedAmount } from '../../../src/domain/history/trades.ts'
import type { StoredSwap } from '../../../src/domain/pool/stored-rows.ts'

/** What swaps moved of one token, by bucket; they are oldest first. */
export const amountsOf = (
  swaps: readonly StoredSwap[],
  { token, bucketSeconds }: { readonly token: 0 | 1; readonly bucketSeconds: number },
): readonly TradedAmount[] =>
  [...Map.groupBy(swaps, ({ ts }) => ts - (ts % bucketSeconds))].map(([ts, own]) => {
    const amounts = own.map(({ amount0, amount1 }) => (token === 0 ? amount0 : amount1))
    const raw = amounts.reduce((sum, amount) => sum + (amount < 0n ? -amount : amount), 0n)
    return { ts, swaps: own.length, raw }
  })

export const toTrade = (
  { block, logIndex, ts, amount0, amount1, usdMicro, implausible }: StoredSwap,
  token: 0 | 1,
): Trade => {
  const amount = token === 0 ? amount0 : amount1
  const raw = amount < 0n ? -amount : amount
  return { ts, block, logIndex, usdMicro, implausible, raw }
}
