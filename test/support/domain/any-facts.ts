import fc from 'fast-check'
import { dynamicFee } from '../../../src/domain/dex/uniswap-v4/hook-flags.ts'
import {
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
} from '../../../src/domain/math/tick-math.ts'
import { depthOf } from '../../../src/domain/pool/pool-depth.ts'
import type { PoolClassification } from '../../../src/domain/pool/pool-kind.ts'
import { candleWidths, type ReferencePoint } from '../../../src/domain/pool/stored-rows.ts'
import { listTicks } from '../../../src/domain/pool/tick-map.ts'
import { reservesFromTickMap } from '../../../src/domain/pool/tick-map-reserves.ts'
import {
  type PastMoment,
  pastStockReference,
  pastTrustedReference,
} from '../../../src/domain/price/past-reference.ts'
import { type Quote, quoteSourceIds } from '../../../src/domain/price/quote.ts'
import { selectTrustedReference } from '../../../src/domain/price/reference-price.ts'
import type { PoolFacts, TokenQuotes } from '../../../src/domain/provenance/pool-facts.ts'
import type { SwapLists } from '../../../src/domain/provenance/recompute.ts'
import { known, type Reading, unknown } from '../../../src/domain/reading.ts'
import { policyDefault } from '../../../src/domain/status/freshness.ts'
import { sessionAt } from '../../../src/domain/stock/market-session.ts'
import type { Address } from '../../../src/domain/units.ts'
import type { PoolInputs, PoolVolume } from '../../../src/domain/valuation/pool-inputs.ts'
import {
  buildStockInputs,
  toMultiplier,
  wrapStockInputs,
} from '../../../src/domain/valuation/stock-inputs.ts'
import { tickMapOf } from './quoted-pool.ts'
import {
  addressOf,
  hexOf,
  identityOf,
  keyOf,
  noon,
  oracleOf,
  poolQuoteOf,
  quoteOf,
  sampleContext,
  saturday,
  stateOf,
  stockOf,
  tokens,
} from './sample-inputs.ts'
import { standardWith } from './sample-standard.ts'

/* Everything that a pool's numbers may be made from, good and bad. */

const fewOf = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 9 })

const anyUsd = fc.oneof(
  { arbitrary: fc.double({ min: 90, max: 110, noNaN: true }), weight: 5 },
  fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
)

const anyAge = fc.oneof({ arbitrary: fc.nat(30), weight: 6 }, fc.nat(200_000), fc.constant(-500))

const anyTrail = fc.record({
  acceptedUsd: fc.option(anyUsd, { freq: 2 }),
  acceptedAgo: fc.nat(5000),
})

const bookOf = (usd: number, spread: number | null): Partial<Quote> =>
  spread === null
    ? { bid: null, ask: null, last: usd }
    : { bid: usd, ask: usd * (1 + spread), last: null }

/** Quotes of one token, at most one of each source. */
const anyQuotes = (address: Address, now: number): fc.Arbitrary<readonly Quote[]> => {
  const common = fc.record({ usd: anyUsd, ago: anyAge, trail: anyTrail })
  const trailOf = ({
    acceptedUsd,
    acceptedAgo,
  }: {
    acceptedUsd: number | null
    acceptedAgo: number
  }) => (acceptedUsd === null ? {} : { acceptedUsd, acceptedTs: now - acceptedAgo, jumpUsd: 1 })
  const timed = (ago: number) => ({ address, publishedTs: now - ago, fetchedTs: now })
  return fc
    .record({
      issuer: fewOf(fc.record({ own: common, spread: fc.constantFrom(0, 0.001, 0.5, null) })),
      chainlink: fc.option(common),
      pools: fc.option(common),
    })
    .map(({ issuer, chainlink, pools }) => [
      ...(issuer === null
        ? []
        : [
            quoteOf({
              ...timed(issuer.own.ago),
              ...trailOf(issuer.own.trail),
              ...bookOf(issuer.own.usd, issuer.spread),
            }),
          ]),
      ...(chainlink === null
        ? []
        : [oracleOf(chainlink.usd, { ...timed(chainlink.ago), ...trailOf(chainlink.trail) })]),
      ...(pools === null ? [] : [poolQuoteOf(pools.usd, { ...timed(pools.ago), pools: 2 })]),
    ])
}

/** A dollar's or ether's quotes, often about one dollar. */
const anyTrustedQuotes = (now: number): fc.Arbitrary<readonly Quote[]> =>
  anyQuotes(tokens.usdg, now).chain((quotes) =>
    fc
      .boolean()
      .map((isDollar) =>
        quotes
          .filter(({ per }) => per === 'token')
          .map((quote) => (isDollar ? { ...quote, last: (quote.last ?? 1) / 100 } : quote)),
      ),
  )

const anyDecimals: fc.Arbitrary<Reading<number>> = fc
  .option(fc.integer({ min: 0, max: 36 }), { freq: 12 })
  .map((decimals) => (decimals === null ? unknown('decimals-not-read') : known(decimals)))

const anyPosition = fc
  .tuple(
    fc.integer({ min: -800, max: 800 }),
    fc.integer({ min: 1, max: 700 }),
    fc.bigInt(1n, 10n ** 24n),
  )
  .map(([lower, width, liquidity]) => [lower * 60, (lower + width) * 60, liquidity] as const)

const anySqrtPrice = fc.oneof(
  { arbitrary: fc.integer({ min: -60_000, max: 60_000 }).map(sqrtPriceAtTick), weight: 12 },
  { arbitrary: fc.bigInt(10n ** 26n, 10n ** 32n), weight: 4 },
  fc.constantFrom(sqrtPriceMinX96, sqrtPriceMaxX96 - 1n),
)

const anyMap = fc.record({
  sqrtPriceX96: fc.option(anySqrtPrice, { freq: 15 }),
  positions: fc.array(anyPosition, { maxLength: 5 }),
  fault: fc.option(
    fc.constantFrom('index_gap', 'hook_custom_accounting', 'reserve_short' as const),
    { freq: 2 },
  ),
})

const anySwaps = fc.array(fewOf(fc.bigInt(0n, 10n ** 12n)), { maxLength: 4 })

const usdOf = (amounts: readonly (bigint | null)[]): number | null => {
  let sum = 0n
  for (const amount of amounts) {
    if (amount === null) return null
    sum += amount
  }
  return Number(sum) / 1_000_000
}

const unknownFilter = {
  vol24hFilteredUsd: null,
  traders24h: null,
  washShare24h: null,
  leftOutMicro: null,
}

/** `quarters` of the volume are left out; null: the traders are not known. */
const filteredOf = (amounts: readonly (bigint | null)[], quarters: number | null) => {
  if (quarters === null || amounts.includes(null)) return unknownFilter
  const total = amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
  const leftOutMicro = (total * BigInt(quarters)) / 4n
  return {
    vol24hFilteredUsd: Number(total - leftOutMicro) / 1_000_000,
    traders24h: amounts.length,
    washShare24h: total > 0n ? Number(leftOutMicro) / Number(total) : null,
    leftOutMicro,
  }
}

const anyVolume = fc
  .record({
    ...{ hour: anySwaps, earlier: anySwaps, isHourGap: fc.boolean(), isGap: fc.boolean() },
    feeYield: fewOf(fc.double({ min: 0, max: 0.1, noNaN: true })),
    leftOutShare: fc.option(fc.nat(4)),
  })
  .map(({ hour, earlier, isHourGap, isGap, feeYield, leftOutShare }) => {
    const day = [...hour, ...earlier]
    const gaps = { hour: isGap && isHourGap, day: isGap }
    const volume: PoolVolume = {
      vol1hUsd: gaps.hour ? null : usdOf(hour),
      vol24hUsd: gaps.day ? null : usdOf(day),
      swaps24h: day.length,
      estimatedSwaps24h: 0,
      implausibleSwaps24h: 0,
      feeYield24h: gaps.day ? null : feeYield,
      isGap,
      ...filteredOf(gaps.day ? [null] : day, leftOutShare),
    }
    return { volume, gaps, swaps: { swaps1h: hour, swaps24h: day } satisfies SwapLists }
  })

const anyKind: fc.Arbitrary<PoolClassification> = fc.record({
  kind: fc.constantFrom('canonical', 'canonical', 'meme', 'stock-stock' as const),
  stockIsToken0: fc.boolean(),
})

const anyFallback = fc.option(
  fc.record({
    source: fc.constantFrom('balance', 'screener' as const),
    amount0: fewOf(fc.double({ min: 0, max: 1e9, noNaN: true })),
    amount1: fewOf(fc.double({ min: 0, max: 1e9, noNaN: true })),
    ts: fc.constantFrom(noon - 10, noon - 5000),
  }),
)

const anyMultiplier = fc.record({
  multiplier: fewOf(fc.constantFrom(0n, 10n ** 18n, 1_000_957_519_890_990_718n)),
  pendingMultiplier: fc.option(fc.constant(4n * 10n ** 18n)),
  effectiveAgo: fc.constantFrom(-100, 10, 100_000),
})

type Random = {
  readonly now: number
  readonly map: typeof anyMap extends fc.Arbitrary<infer T> ? T : never
  readonly classification: PoolClassification
  readonly decimals: readonly [Reading<number>, Reading<number>]
  /** Null in v3. */
  readonly hooks: Address | null
  /** Of v3: whether neither the key nor the log of a swap has the fee. */
  readonly hasUnloggedFee: boolean
  readonly swapped: readonly [isKnown: boolean, fee: number | null]
}

const poolFrom = ({ map, hooks, hasUnloggedFee, swapped, now }: Random): PoolInputs['pool'] => {
  const { sqrtPriceX96, fault } = map
  const tickMap = tickMapOf(map.positions)
  const isKnown = fault === null && sqrtPriceX96 !== null
  const [hasSwapped, lastSwapFee] = swapped
  const state = stateOf({
    price: sqrtPriceX96 === null ? null : { sqrtPriceX96, tick: 5 },
    reserves: isKnown ? reservesFromTickMap(tickMap, sqrtPriceX96) : null,
    depth: isKnown ? depthOf(tickMap, sqrtPriceX96) : null,
    mapFault: fault,
    lastSwapTs: hasSwapped ? now - 60 : null,
    lastSwapBlock: hasSwapped ? 900 : null,
    lastSwapFee: hasSwapped && hooks !== null ? lastSwapFee : null,
  })
  const ofV3 = hasUnloggedFee
    ? { protocol: 'slipstream', key: keyOf({ fee: dynamicFee, hooks: null }) }
    : {}
  const own =
    hooks === null
      ? ofV3
      : {
          version: 'v4' as const,
          protocol: 'uniswap-v4',
          id: hexOf(0xd4, 32),
          key: keyOf({ hooks }),
        }
  return { ...identityOf(own), ...state, lastHotTs: null }
}

/** Facts of one pool with the lists of its swaps. */
export const anyFacts: fc.Arbitrary<{ readonly facts: PoolFacts; readonly swaps: SwapLists }> = fc
  .constantFrom(noon, noon, saturday)
  .chain((now) =>
    fc.record({
      now: fc.constant(now),
      map: anyMap,
      classification: anyKind,
      decimals: fc.tuple(anyDecimals, anyDecimals),
      // The address of the second one lets it take a part of what swaps pay.
      hooks: fc.constantFrom(null, tokens.native, addressOf(4), addressOf(0x80)),
      hasUnloggedFee: fc.boolean(),
      swapped: fc.tuple(fc.boolean(), fewOf(fc.nat(50_000))),
      stockQuotes: anyQuotes(tokens.nvda, now),
      otherStockQuotes: anyQuotes(tokens.tsla, now),
      trustedQuotes: anyTrustedQuotes(now),
      isDollar: fc.boolean(),
      multiplier: anyMultiplier,
      assetsPerToken: fc.option(fc.bigInt(10n ** 17n, 10n ** 19n)),
      volume: anyVolume,
      fallback: anyFallback,
      rebasing: fc.nat(9).map((drawn) => drawn === 0),
    }),
  )
  .map((random) => {
    const { now, classification, volume, isDollar } = random
    const session = sessionAt(now)
    const { multiplier, pendingMultiplier, effectiveAgo } = random.multiplier
    const stock = stockOf({
      multiplier,
      pendingMultiplier,
      multiplierEffectiveTs: pendingMultiplier === null ? null : now - effectiveAgo,
      readTs: now,
    })
    const otherStock = stockOf({ address: tokens.tsla, symbol: 'TSLA', readTs: now })
    const policy = policyDefault
    const ofStock = { stock, quotes: random.stockQuotes, session, policy, now }
    const ofOther = { stock: otherStock, quotes: random.otherStockQuotes, session, policy, now }
    const isPair = classification.kind === 'stock-stock'
    const ownStock = buildStockInputs(ofStock)
    const wrapper = stockOf({ multiplier: random.assetsPerToken, readTs: now })
    const isWrapper = random.assetsPerToken !== null
    const otherAsset = buildStockInputs(ofOther)
    const otherInputs = isWrapper
      ? wrapStockInputs(wrapper, { asset: otherAsset, now })
      : otherAsset
    const trusted = selectTrustedReference({ quotes: random.trustedQuotes, isDollar, policy, now })
    const own = classification.kind === 'canonical' ? trusted : null
    const otherQuotes: TokenQuotes = isPair
      ? {
          address: tokens.tsla,
          quotes: random.otherStockQuotes,
          multiplier: toMultiplier(isWrapper ? wrapper : otherStock, now),
          multiplierCall: null,
          asset: isWrapper ? otherAsset.reading : null,
          kept: null,
        }
      : {
          address: tokens.usdg,
          quotes: random.trustedQuotes,
          multiplier: null,
          multiplierCall: null,
          asset: null,
          kept: null,
        }
    const [decimals0, decimals1] = random.decimals
    const pool = poolFrom(random)
    const facts: PoolFacts = {
      inputs: {
        pool,
        classification: isPair ? { kind: 'stock-stock', stockIsToken0: true } : classification,
        decimals0,
        decimals1,
        stock: isWrapper ? wrapStockInputs(wrapper, { asset: ownStock, now }) : ownStock,
        otherSymbol: 'OTHER',
        otherImitates: null,
        other: isPair ? otherInputs.reading : own,
        otherStock: isPair ? otherInputs : null,
        volume: volume.volume,
        fallback: random.fallback,
      },
      context: sampleContext({
        standardOf: () => standardWith({ rebasing: random.rebasing }),
        now,
        asOf: { block: 1000, ts: now - 2 },
        enrichedTs: now - 5,
      }),
      past: null,
      asOfHash: hexOf(0xb10c, 32),
      ticks: pool.reserves === null ? null : listTicks(tickMapOf(random.map.positions)),
      lastSwap: { block: 900, txHash: hexOf(7, 32), logIndex: 3 },
      stateCalls:
        random.hooks !== null
          ? null
          : [
              { to: addressOf(1), data: '0x' },
              { to: addressOf(1), data: '0x' },
            ],
      stockQuotes: {
        address: tokens.nvda,
        quotes: random.stockQuotes,
        multiplier: toMultiplier(isWrapper ? wrapper : stock, now),
        multiplierCall: { call: 'uiMultiplier()', data: '0xa60bf13d' },
        asset: isWrapper ? ownStock.reading : null,
        kept: null,
      },
      otherQuotes: classification.kind === 'meme' ? null : otherQuotes,
      gaps: volume.gaps,
    }
    return { facts, swaps: volume.swaps }
  })

const anyPoint = (address: Address, now: number): fc.Arbitrary<ReferencePoint | null> =>
  fc.option(
    fc
      .record({
        usd: anyUsd,
        source: fc.constantFrom(...quoteSourceIds),
        width: fc.constantFrom(...candleWidths),
        ago: anyAge,
      })
      .map(({ usd, source, width, ago }) => {
        return { address, usd, source, width, ts: now - width - Math.abs(ago) }
      }),
    { freq: 9 },
  )

const pastReadings = (
  { kind }: PoolClassification,
  {
    stock,
    other,
  }: { readonly stock: ReferencePoint | null; readonly other: ReferencePoint | null },
  moment: PastMoment,
) => {
  const past = kind === 'canonical' ? pastTrustedReference : pastStockReference
  return {
    stock: pastStockReference(stock, moment),
    other: kind === 'meme' ? null : past(other, moment),
  }
}

/** The same of a past record: kept references stand in for quotes. */
export const anyPastFacts: typeof anyFacts = anyFacts.chain(({ facts, swaps }) => {
  const { inputs, context, stockQuotes, otherQuotes } = facts
  const { ts, block } = context.asOf
  const moment = { ts, session: sessionAt(ts), policy: context.policy }
  const points = { stock: anyPoint(stockQuotes.address, ts), other: anyPoint(tokens.tsla, ts) }
  return fc
    .record({ ...points, isOwnTime: fc.boolean(), complete: fc.boolean() })
    .map(({ isOwnTime, complete, ...kept }) => {
      const readings = pastReadings(inputs.classification, kept, moment)
      const ofToken = { quotes: [], multiplier: null }
      const past = { block, ts, tsBlock: isOwnTime ? block : block - 3, complete }
      return {
        swaps,
        facts: {
          ...facts,
          inputs: {
            ...inputs,
            ...{ stock: { ...inputs.stock, reading: readings.stock }, other: readings.other },
            fallback: null,
          },
          context: { ...context, now: ts },
          past,
          stockQuotes: { ...stockQuotes, ...ofToken, kept: kept.stock },
          otherQuotes: otherQuotes && { ...otherQuotes, ...ofToken, kept: kept.other },
        },
      }
    })
})
