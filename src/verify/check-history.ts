import type { ChainLog } from '../domain/chain/log.ts'
import { getProtocol } from '../domain/dex/find-protocol.ts'
import { decodeLog } from '../domain/dex/protocol.ts'
import type { PoolEvent } from '../domain/pool/pool-event.ts'
import type { PoolView, SwapView } from '../domain/views/pool.ts'
import type { TickView } from '../domain/views/provenance.ts'
import { type Check, compareTexts } from './tier.ts'

/** What all logs of a pool since its creation make of it. */
type Folded = {
  readonly sqrtPriceX96: bigint | null
  readonly tick: number | null
  readonly ticks: readonly TickView[]
  readonly swaps: readonly PoolEvent[]
}

type Liquidity = { readonly net: bigint; readonly gross: bigint }

const fold = (events: readonly PoolEvent[]): Folded => {
  const map = new Map<number, Liquidity>()
  let price: { readonly sqrtPriceX96: bigint; readonly tick: number } | null = null
  const add = (tick: number, net: bigint, gross: bigint): void => {
    const before = map.get(tick) ?? { net: 0n, gross: 0n }
    const after = { net: before.net + net, gross: before.gross + gross }
    if (after.gross === 0n) map.delete(tick)
    else map.set(tick, after)
  }
  for (const event of events) {
    if (event.kind === 'created' && event.initial !== null) price = event.initial
    if (event.kind === 'initialized' || event.kind === 'swapped') price = event
    if (event.kind !== 'liquidity-changed') continue
    const { tickLower, tickUpper, liquidityDelta } = event
    add(tickLower, liquidityDelta, liquidityDelta)
    add(tickUpper, -liquidityDelta, liquidityDelta)
  }
  const ticks = [...map]
    .sort(([one], [other]) => one - other)
    .map(([tick, { net, gross }]) => ({
      tick,
      liquidityNet: String(net),
      liquidityGross: String(gross),
    }))
  const { sqrtPriceX96 = null, tick = null } = price ?? {}
  return { sqrtPriceX96, tick, ticks, swaps: events.filter(({ kind }) => kind === 'swapped') }
}

const tickText = (ticks: readonly TickView[]): string =>
  ticks.map((each) => `${each.tick}: ${each.liquidityNet} of ${each.liquidityGross}`).join(', ')

const nullable = (value: bigint | number | string | null): string | null =>
  value === null ? null : String(value)

type Place = { readonly block: number; readonly logIndex: number; readonly txHash: string }

const placeText = (places: readonly Place[]): string =>
  places.map(({ block, logIndex, txHash }) => `${block}/${logIndex} ${txHash}`).join(', ')

/**
 * History tier: price and ticks as all logs of the pool since its creation make them, and the list
 * of swaps that volumes are summed from, swap by swap, from its first block on.
 */
export const checkHistory = (
  row: PoolView,
  logs: readonly ChainLog[],
  {
    ticks,
    swaps,
  }: { readonly ticks: readonly TickView[] | null; readonly swaps: readonly SwapView[] | null },
): readonly Check[] => {
  const events = logs.flatMap((log) => {
    const decoded = decodeLog(getProtocol(row.protocol), log)
    return decoded?.ok && decoded.event.poolId === row.id ? [decoded.event] : []
  })
  const folded = fold(events)
  const compare = (field: string, published: string | null, proved: string | null): Check =>
    compareTexts(
      { tier: 'history', subject: row.id, field },
      { published, proved },
      'the logs since the creation of the pool make another value',
    )
  const first = swaps?.[0]?.block ?? null
  const listed = folded.swaps.flatMap(({ at }) => (first !== null && at.block >= first ? [at] : []))
  return [
    compare('sqrtPriceX96', row.sqrtPriceX96, nullable(folded.sqrtPriceX96)),
    compare('tick', nullable(row.tick), nullable(folded.tick)),
    ...(ticks === null ? [] : [compare('ticks', tickText(ticks), tickText(folded.ticks))]),
    ...(first === null
      ? []
      : [compare('swaps of 24 h', placeText(swaps ?? []), placeText(listed))]),
  ]
}
