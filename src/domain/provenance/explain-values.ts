import { getProtocol } from '../dex/find-protocol.ts'
import { earningsFaultOf } from '../earnings/fee-apr.ts'
import { holdsRebasing } from '../stock/stock-standard.ts'
import { secondsPerDay, secondsPerHour } from '../time.ts'
import type { PoolInputs } from '../valuation/pool-inputs.ts'
import { hasCustomAccounting } from '../valuation/pool-reserves.ts'
import type { PoolView } from '../views/pool.ts'
import type { InputSource, NullReason } from '../views/provenance.ts'
import { decimalsInputs } from './explain-state.ts'
import type { Ledger, LedgerInput } from './ledger.ts'
import {
  conditionOf,
  inputOf,
  type PoolFacts,
  poolLogsSource,
  serviceSource,
} from './pool-facts.ts'

const mapReasonOf = ({ pool }: PoolInputs): NullReason => {
  if (pool.price === null) return 'uninitialised'
  if (hasCustomAccounting(pool)) return 'hook_custom_accounting'
  return pool.mapFault ?? 'reserve_missing'
}

/** The tick map: a list, or the reason why it gives nothing. */
const ticksInput = (record: PoolView, facts: PoolFacts): LedgerInput => {
  const { inputs, context } = facts
  const isUsed = record.reserveSource === 'ticks'
  const range = { fromBlock: inputs.pool.createdBlock, toBlock: context.asOf.block }
  return inputOf('ticks', null, {
    unit: 'liquidity by tick',
    source: poolLogsSource(inputs.pool, range),
    reason: isUsed ? null : mapReasonOf(inputs),
  })
}

const textOrNull = (value: bigint | undefined): string | null =>
  value === undefined ? null : String(value)

/** The trusted side of a meme pool is the stock, of others the other token. */
const isTrustedToken0 = ({ kind, stockIsToken0 }: PoolView): boolean =>
  stockIsToken0 === (kind === 'meme')

/** Raw reserves and depth of the trusted side, from the tick map. */
const recordMapAmounts = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const { pool } = facts.inputs
  const isUsed = record.reserveSource === 'ticks'
  const inputs = [ticksInput(record, facts), ledger.use('sqrtPriceX96')]
  const [reserves, depth] = isUsed ? [pool.reserves, pool.depth] : [null, null]
  ledger.record('reserve0', 'own', { value: textOrNull(reserves?.amount0), inputs })
  ledger.record('reserve1', 'own', { value: textOrNull(reserves?.amount1), inputs })
  if (isTrustedToken0(record)) {
    ledger.record('depth0', 'own', { value: textOrNull(depth?.amount0), inputs })
  } else {
    ledger.record('depth1', 'own', { value: textOrNull(depth?.amount1), inputs })
  }
}

const fallbackSource = (isToken0: boolean, { inputs }: PoolFacts): InputSource => {
  const { pool, fallback } = inputs
  const ts = fallback?.ts ?? 0
  if (fallback?.source !== 'balance') {
    return { kind: 'quote', source: 'screener', publishedTs: ts, fetchedTs: ts }
  }
  return {
    kind: 'read',
    to: isToken0 ? pool.key.token0 : pool.key.token1,
    call: 'balanceOf(address)',
    data: `0x70a08231${pool.id.slice(2).padStart(64, '0')}`,
    block: null,
    blockHash: null,
  }
}

const recordReserve = (
  ledger: Ledger,
  {
    field,
    isToken0,
  }: { readonly field: 'stockReserve' | 'otherReserve'; readonly isToken0: boolean },
  { record, facts }: { readonly record: PoolView; readonly facts: PoolFacts },
): void => {
  const value = record[field]
  const { reserveSource } = record
  if (reserveSource === 'balance' || reserveSource === 'screener') {
    const source = fallbackSource(isToken0, facts)
    const name = reserveSource === 'balance' ? 'balance' : 'screenerAmount'
    const input = inputOf(name, value, { unit: 'whole tokens', source, reason: 'reserve_missing' })
    ledger.record(field, reserveSource, { value, inputs: [input] })
    return
  }
  const [decimals0, decimals1] = decimalsInputs(facts)
  const inputs = isToken0
    ? [ledger.use('reserve0'), decimals0]
    : [ledger.use('reserve1'), decimals1]
  ledger.record(field, isToken0 ? 'token0' : 'token1', { value, inputs })
}

const recordDepth = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const [decimals0, decimals1] = decimalsInputs(facts)
  const isStock = record.kind === 'meme'
  const usd = ledger.use(isStock ? 'stockReferenceUsd' : 'otherPriceUsd')
  const value = record.depthUsd
  if (isTrustedToken0(record)) {
    const inputs = [ledger.use('depth0'), decimals0, usd]
    ledger.record('depthUsd', isStock ? 'stock0' : 'other0', { value, inputs })
  } else {
    const inputs = [ledger.use('depth1'), decimals1, usd]
    ledger.record('depthUsd', isStock ? 'stock1' : 'other1', { value, inputs })
  }
}

/** Reserves, liquidity and depth. */
export const explainReserves = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  recordMapAmounts(ledger, record, facts)
  const { stockIsToken0, enrichedTs } = record
  const given = { record, facts }
  recordReserve(ledger, { field: 'stockReserve', isToken0: stockIsToken0 }, given)
  recordReserve(ledger, { field: 'otherReserve', isToken0: !stockIsToken0 }, given)
  const read = inputOf('readTs', enrichedTs, {
    unit: 'Unix seconds',
    source: serviceSource(facts.context.now),
    reason: record.reserveSource === null ? mapReasonOf(facts.inputs) : 'reserve_missing',
  })
  ledger.record('enrichedTs', 'own', { value: enrichedTs, inputs: [read] })
  const inputs = [
    ledger.use('stockReserve'),
    ledger.use('stockReferenceUsd'),
    ledger.use('otherReserve'),
    ledger.use('otherPriceUsd'),
  ]
  const formula = record.kind === 'meme' ? 'capped' : 'full'
  ledger.record('liquidityUsd', formula, { value: record.liquidityUsd, inputs })
  recordDepth(ledger, record, facts)
}

/** The swaps of (t − seconds, t] as a list of this service. */
const swapsInput = (name: string, seconds: number, { inputs, context }: PoolFacts): LedgerInput => {
  const { ts } = context.asOf
  const from = Math.max(0, ts - seconds + 1)
  return inputOf(name, null, {
    unit: 'millionths of a US dollar, one for each swap',
    source: {
      kind: 'request',
      path: `/api/v1/pools/${inputs.pool.id}/swaps?from=${from}&to=${ts}`,
    },
  })
}

const explainFeeApr = (
  ledger: Ledger,
  { feeApr24h: value, vol24hUsd, protocol }: PoolView,
  { inputs: { pool, volume }, context, gaps }: PoolFacts,
): void => {
  const isRebasing = holdsRebasing(pool.key, context.standardOf)
  const fault = earningsFaultOf({ ...pool, isRebasing })
  const source = serviceSource(context.now)
  const unlogged = getProtocol(protocol).protocolFee === 'unknown' ? 'fee_unlogged' : 'fee_unknown'
  const unknown = vol24hUsd === null ? 'swap_unpriced' : unlogged
  const feeYield = inputOf('feeYield24h', volume.feeYield24h, {
    unit: 'part of one a day',
    source,
    reason: gaps.day ? 'index_gap' : unknown,
  })
  const inputs = [conditionOf('payable', fault === null, source), feeYield]
  ledger.record('feeApr24h', 'own', { value, inputs, ...(fault && { reason: fault }) })
}

const filterReasonOf = ({ vol24hUsd }: PoolView, { gaps, inputs }: PoolFacts): NullReason => {
  if (gaps.day) return 'index_gap'
  if (inputs.volume.leftOutMicro === null && vol24hUsd === null) return 'swap_unpriced'
  return inputs.volume.leftOutMicro === null ? 'traders_unknown' : 'no_swap'
}

/** The volume without wash trades: what is left out is judged by the service. */
const explainFilter = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const service = serviceSource(facts.context.now)
  const reason = filterReasonOf(record, facts)
  const { leftOutMicro } = facts.inputs.volume
  const leftOut = inputOf('leftOut24h', textOrNull(leftOutMicro ?? undefined), {
    unit: 'millionths of a US dollar',
    source: service,
    reason,
  })
  const complete = conditionOf('complete', !facts.gaps.day, service)
  const inputs = [complete, swapsInput('swaps24h', secondsPerDay, facts), leftOut]
  for (const field of ['vol24hFilteredUsd', 'washShare24h'] as const) {
    ledger.record(field, 'own', { value: record[field], inputs, reason })
  }
  const { traders24h } = record
  const traders = inputOf('traders24h', traders24h, { unit: 'traders', source: service, reason })
  ledger.record('traders24h', 'own', { value: traders24h, inputs: [traders], reason })
}

/** Volumes and counts of swaps. */
export const explainVolume = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const service = serviceSource(facts.context.now)
  const { hour, day: wholeDay } = facts.gaps
  for (const [field, list, { seconds, isGap }] of [
    ['vol1hUsd', 'swaps1h', { seconds: secondsPerHour, isGap: hour }],
    ['vol24hUsd', 'swaps24h', { seconds: secondsPerDay, isGap: wholeDay }],
  ] as const) {
    const inputs = [conditionOf('complete', !isGap, service), swapsInput(list, seconds, facts)]
    const reason = isGap ? 'index_gap' : 'swap_unpriced'
    ledger.record(field, 'own', { value: record[field], inputs, reason })
  }
  const { swaps24h, estimatedSwaps24h } = record
  const day = swapsInput('swaps24h', secondsPerDay, facts)
  ledger.record('swaps24h', 'own', { value: swaps24h, inputs: [day] })
  const estimated = inputOf('estimatedSwaps24h', estimatedSwaps24h, {
    unit: 'swaps',
    source: service,
  })
  ledger.record('estimatedSwaps24h', 'own', { value: estimatedSwaps24h, inputs: [estimated] })
  explainFeeApr(ledger, record, facts)
  explainFilter(ledger, record, facts)
}
