import fc from 'fast-check'
import type { IngestResult } from '../../../src/domain/ingest/ingest-logs.ts'
import { tickAtSqrtPrice } from '../../../src/domain/math/tick-math.ts'
import type { RawAmounts } from '../../../src/domain/pool/pool-state.ts'
import type { Candle } from '../../../src/domain/pool/stored-rows.ts'
import { mergeCandles } from '../../../src/domain/series/candles.ts'
import type { PoolId, UnixSeconds } from '../../../src/domain/units.ts'
import { createSampleChain, type RawLog, type SampleBlock } from './sample-chain.ts'
import { createSampleIndex, poolOf, rootPrice, type SampleIndex, tokens } from './sample-market.ts'
import type { SamplePool, SamplePoolOptions } from './sample-pool.ts'

const { usdg, apple, weth, tesla, meme } = tokens
const spacing = 60

/** Every kind of pool, with a root of its raw price to start from. */
const specs = [
  { version: 'v3', token0: apple, token1: weth, root: 1n },
  { version: 'v4', token0: usdg, token1: apple, root: 70_000n },
  { version: 'v4', token0: apple, token1: tesla, root: 1n },
  { version: 'v3', token0: apple, token1: meme, root: 30n },
  { version: 'v3', token0: usdg, token1: weth, root: 20_000n },
  { version: 'v4', token0: weth, token1: tesla, root: 3n },
] as const

export type Step =
  | { readonly kind: 'mine'; readonly seconds: number }
  | { readonly kind: 'swap'; readonly pool: number; readonly percent: number }
  | {
      readonly kind: 'mint'
      readonly pool: number
      readonly from: number
      readonly steps: number
      readonly liquidity: bigint
    }
  | { readonly kind: 'burn'; readonly pool: number }

const anyPool = fc.nat({ max: specs.length - 1 })

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine'), seconds: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mine'), seconds: fc.nat(50_000) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('swap'),
      pool: anyPool,
      percent: fc.integer({ min: 60, max: 160 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mint'),
      pool: anyPool,
      from: fc.integer({ min: -80, max: 60 }),
      steps: fc.integer({ min: 1, max: 80 }),
      liquidity: fc.bigInt(10n ** 12n, 10n ** 22n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('burn'), pool: anyPool }) },
) as fc.Arbitrary<Step>

export type SampleHistory = {
  readonly blocks: readonly SampleBlock[]
  /** What each pool really held once a block had ended. */
  readonly held: readonly {
    readonly id: PoolId
    readonly ts: UnixSeconds
    readonly reserves: RawAmounts
  }[]
}

type Minted = { readonly lower: number; readonly upper: number; readonly liquidity: bigint }

type Player = { readonly pool: SamplePool; readonly minted: Minted[] }

/** The pools of a history at one moment, by their places in it. */
export type PoolLifetimes = ReadonlyMap<
  number,
  { readonly life: SamplePoolOptions; readonly minted: readonly Minted[] }
>

/** What an act of a pool is; `mine` belongs to the chain. */
export type PoolStep = Exclude<Step, { readonly kind: 'mine' }>

/** Pools that act out a history, from these lives on. One is created when it is first needed. */
export const createStepPlayers = (
  emit: (log: RawLog) => void,
  before: PoolLifetimes = new Map(),
) => {
  const players = new Map<number, Player>()

  const playerAt = (number: number): Player => {
    const known = players.get(number)
    if (known !== undefined) return known
    const { version, root, ...pair } = specs[number] as (typeof specs)[number]
    const life = before.get(number)
    const player = {
      pool: poolOf(emit, version, pair, life?.life),
      minted: [...(life?.minted ?? [])],
    }
    if (life === undefined) player.pool.create(rootPrice(root))
    players.set(number, player)
    return player
  }

  return {
    perform: (act: PoolStep): void => {
      const { pool, minted } = playerAt(act.pool)
      const root = rootPrice((specs[act.pool] as (typeof specs)[number]).root)
      if (act.kind === 'swap') pool.swapTo((root * BigInt(act.percent)) / 100n)
      if (act.kind === 'mint') {
        const middle = Math.round(tickAtSqrtPrice(root) / spacing)
        const lower = (middle + act.from) * spacing
        const upper = lower + act.steps * spacing
        minted.push({ lower, upper, liquidity: act.liquidity })
        pool.mint(lower, upper, act.liquidity)
      }
      const gone = act.kind === 'burn' ? minted.shift() : undefined
      if (gone !== undefined) pool.burn(gone.lower, gone.upper, gone.liquidity)
      // An act of its own would change everything that the kept seeds draw.
      if (act.kind === 'burn' && gone === undefined) {
        pool.setProtocolFee(((pool.fees()?.protocolFee ?? 0) + 1_000_257) % 2 ** 24)
      }
    },
    /** Those that acted, and with `all` those that only lived before, too. */
    pools: ({ all } = { all: false }): readonly SamplePool[] => {
      if (all) for (const number of before.keys()) playerAt(number)
      return [...players.values()].map(({ pool }) => pool)
    },
    lives: (): PoolLifetimes => {
      const lives = new Map(before)
      for (const [number, { pool, minted }] of players) {
        lives.set(number, { life: pool.life(), minted: [...minted] })
      }
      return lives
    },
  }
}

/** Lets the acts happen. */
export const playSteps = (acts: readonly Step[]): SampleHistory => {
  const chain = createSampleChain()
  const players = createStepPlayers(chain.emit)
  const held: SampleHistory['held'][number][] = []

  const mine = (seconds: number): void => {
    const { ts } = chain.mine(seconds)
    for (const pool of players.pools()) held.push({ id: pool.id, ts, reserves: pool.reserves() })
  }

  for (const act of acts) {
    if (act.kind === 'mine') mine(act.seconds)
    else players.perform(act)
  }
  mine(1)
  return { blocks: chain.blocks(), held }
}

export const anyHistory: fc.Arbitrary<SampleHistory> = fc
  .array(anyStep, { minLength: 5, maxLength: 60 })
  .map(playSteps)

/** Prices known to an indexer of these histories: some are references, others are implied. */
export const recordPrices = (
  index: Pick<SampleIndex, 'references'>,
  startTs: UnixSeconds,
): void => {
  index.references.add(usdg, { ts: startTs, usd: 1 })
  for (let hour = 0; hour < 200; hour += 7) {
    index.references.add(weth, { ts: startTs + hour * 3600, usd: 2500 + hour })
    index.references.add(usdg, { ts: startTs + hour * 3600, usd: 1 + hour / 1e5 })
  }
}

const keyOf = ({ pool, width, ts }: Candle): string => `${pool}:${width}:${ts}`

/** What a store holds after these results, by the rules of its port. */
export const storedAfter = (batches: readonly IngestResult[]) => {
  const candles = new Map<string, Candle>()
  for (const candle of batches.flatMap((batch) => batch.candles)) {
    const before = candles.get(keyOf(candle))
    candles.set(keyOf(candle), before === undefined ? candle : mergeCandles(before, candle))
  }
  const rows = batches.flatMap((batch) => batch.ticks)
  const ticks = new Map(rows.map((row) => [`${row.pool}:${row.tick}`, row]))
  const touched = batches.flatMap((batch) => batch.touched)
  return {
    blocks: new Map(batches.flatMap((batch) => batch.blocks).map((each) => [each.block, each])),
    pools: batches.flatMap((batch) => batch.pools),
    states: new Map(touched.map((pool) => [pool.identity.number, pool.state])),
    ticks: new Map([...ticks].filter(([, row]) => row.gross !== 0n)),
    swaps: batches.flatMap((batch) => batch.swaps),
    liquidity: batches.flatMap((batch) => batch.liquidity),
    candles,
  }
}

/** Indexes a history in one batch for each piece. */
export const indexInPieces = (pieces: readonly (readonly SampleBlock[])[]) => {
  const index = createSampleIndex()
  recordPrices(index, pieces.flat()[0]?.blockRef.ts ?? 0)
  const batches = pieces.map((blocks) => index.ingest(blocks.flatMap((block) => block.logs)))
  return { index, batches, stored: storedAfter(batches) }
}
