import type { Static } from 'typebox'
import type { FeedSwap } from '../../domain/feed/feed-event.ts'
import { amountText, ratioText } from '../../domain/math/decimal-text.ts'
import { priceRatio } from '../../domain/math/pool-price.ts'
import type { RawAmounts } from '../../domain/pool/pool-state.ts'
import type { FeedPair, PairEvent } from '../../market/feed/feed.ts'
import type { DexScreenerEventsSchema } from './dexscreener-schemas.ts'
import { placesMax } from './feed-fields.ts'

type DexScreenerEvent = Static<typeof DexScreenerEventsSchema>['events'][number]

const toTexts = ({ amount0, amount1 }: RawAmounts, { decimals0, decimals1 }: FeedPair) => ({
  text0: amountText(amount0 < 0n ? -amount0 : amount0, decimals0),
  text1: amountText(amount1 < 0n ? -amount1 : amount1, decimals1),
})

const toSwap = (swap: FeedSwap, pair: FeedPair) => {
  const { text0, text1 } = toTexts(swap, pair)
  const ratio = priceRatio(swap.sqrtPriceX96, pair.decimals0, pair.decimals1)
  const amounts =
    swap.amount0 > 0n
      ? { asset0In: text0, asset1Out: text1 }
      : { asset1In: text1, asset0Out: text0 }
  return { ...amounts, priceNative: ratioText(ratio, placesMax) }
}

const toReserves = (reserves: RawAmounts, pair: FeedPair) => {
  const { text0, text1 } = toTexts(reserves, pair)
  return { asset0: text0, asset1: text1 }
}

const zeroPrice = /^0\.0$/

/** Null if its price is none: indexing halts at a price of zero. */
export const toDexScreenerEvent = ({ event, pair }: PairEvent): DexScreenerEvent | null => {
  const { block, ts, kind, txHash, txIndex, logIndex, maker, reserves } = event
  const placed = {
    block: { blockNumber: block, blockTimestamp: ts },
    eventType: kind,
    txnId: txHash,
    txnIndex: txIndex,
    eventIndex: logIndex,
    maker,
    pairId: pair.id,
    ...(reserves === null ? {} : { reserves: toReserves(reserves, pair) }),
  }
  if (event.kind !== 'swap') {
    const { text0, text1 } = toTexts(event, pair)
    return { ...placed, amount0: text0, amount1: text1 }
  }
  const swap = toSwap(event, pair)
  return zeroPrice.test(swap.priceNative) ? null : { ...placed, ...swap }
}
