import type { BlockRef } from '../../src/domain/chain/block-ref.ts'
import { isDynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import { sqrtPriceAtTick, tickMax } from '../../src/domain/math/tick-math.ts'
import type { PoolEventBody } from '../../src/domain/pool/pool-event.ts'
import type { PoolState, RawAmounts } from '../../src/domain/pool/pool-state.ts'
import type { Random } from '../../test/sim/random.ts'
import { router } from './contracts-and-tokens.ts'
import { createV3LogEncoder, createV4LogEncoder, type EmittedLog } from './encode.ts'
import { createSyntheticPool, type PoolSnapshot, type Range } from './pool.ts'
import type { PoolPlan } from './pool-plans.ts'

/** A log and the pool event that decoding it must give. */
export type SimulatedEvent = { readonly log: EmittedLog; readonly event: PoolEventBody }

type Position = Range & { readonly liquidity: bigint }

/** Prices stay near the start, so that swaps keep crossing the same ticks. */
const driftTicksMax = 1500
const stepTicksMax = 60
/** Providers choose ranges on a grid, so that positions share ticks. */
const gridTicksMin = 60
const q96 = 2 ** 96

const startTickOf = ({ token0, token1 }: PoolPlan): number => {
  const [raw0, raw1] = [token0, token1].map(({ usd, decimals }) => usd / 10 ** decimals)
  return Math.floor(Math.log((raw0 ?? 1) / (raw1 ?? 1)) / Math.log(1.0001))
}

const zeroSalt = `0x${'0'.repeat(64)}` as const

/** Full-range liquidity that is worth `depthUsd` at this price. */
const liquidityOf = ({ token1, depthUsd }: PoolPlan, sqrtPriceX96: bigint): bigint => {
  const amount1 = (depthUsd / 2 / token1.usd) * 10 ** token1.decimals
  return BigInt(Math.max(1000, Math.floor(amount1 / (Number(sqrtPriceX96) / q96))))
}

/** A price strictly between two initialized ticks. */
const priceWithin = (tick: number, random: Random): bigint => {
  const [lower, upper] = [sqrtPriceAtTick(tick), sqrtPriceAtTick(tick + 1)]
  return lower + ((upper - lower) * BigInt(random.between(1, 999))) / 1000n
}

const createEventFactory = ({ version, id, key, venue }: PoolPlan) => {
  const [v3, v4] = [
    createV3LogEncoder(id, key, venue, router),
    createV4LogEncoder(id, key, venue, router),
  ]
  const isV3 = version === 'v3'
  return {
    creation: (price: PoolSnapshot): readonly SimulatedEvent[] => {
      const logs = isV3 ? v3.creation(price) : v4.creation(price)
      const { sqrtPriceX96, tick } = price
      const initial = { sqrtPriceX96, tick }
      const created: PoolEventBody = {
        kind: 'created',
        protocol: `uniswap-${version}`,
        venue,
        key,
        initial: isV3 ? null : initial,
      }
      const events: PoolEventBody[] = [created, { kind: 'initialized', ...initial }]
      return logs.map((log, at) => ({ log, event: events[at] as PoolEventBody }))
    },
    liquidity: (
      range: Range,
      amount: bigint,
      isBurn: boolean,
      moved: RawAmounts,
    ): SimulatedEvent => {
      const { tickLower, tickUpper } = range
      const liquidityDelta = isBurn ? -amount : amount
      return {
        log: isV3
          ? v3.liquidity(range, amount, isBurn, moved)
          : v4.liquidity(range, amount, isBurn),
        event: {
          kind: 'liquidity-changed',
          tickLower,
          tickUpper,
          liquidityDelta,
          owner: isV3 ? router : null,
          sender: isV3 ? null : router,
          salt: isV3 ? null : zeroSalt,
        },
      }
    },
    swap: (amounts: RawAmounts, after: PoolSnapshot, fee: number): SimulatedEvent => ({
      log: isV3 ? v3.swap(amounts, after) : v4.swap(amounts, after, fee),
      event: {
        kind: 'swapped',
        ...amounts,
        ...after,
        fee: isV3 ? null : fee,
        sender: router,
        recipient: isV3 ? router : null,
      },
    }),
  }
}

/** The fields of `PoolState` about the last swap. */
type LastSwap = Pick<PoolState, 'lastSwapTs' | 'lastSwapBlock' | 'lastSwapFee'>

/** Simulates a pool and its traders and liquidity providers. */
export const createSimulatedPool = (plan: PoolPlan, random: Random) => {
  let last: LastSwap = { lastSwapTs: null, lastSwapBlock: null, lastSwapFee: null }
  const { tickSpacing, fee: keyFee } = plan.key
  const startTick = startTickOf(plan)
  const startPrice = priceWithin(startTick, random)
  const pool = createSyntheticPool(startPrice)
  const eventFactory = createEventFactory(plan)
  const fullRangeLiquidity = liquidityOf(plan, startPrice)
  const grid = tickSpacing * Math.ceil(gridTicksMin / tickSpacing)
  const middle = Math.round(startTick / grid)
  const tickEdge = Math.floor(tickMax / tickSpacing) * tickSpacing
  const positions: Position[] = []

  const change = (range: Range, amount: bigint, isBurn: boolean): SimulatedEvent => {
    const moved = pool.change(range, isBurn ? -amount : amount)
    return eventFactory.liquidity(range, amount, isBurn, moved)
  }

  const mint = (): SimulatedEvent => {
    const lower = (middle + random.between(-30, 25)) * grid
    const range = { tickLower: lower, tickUpper: lower + random.between(1, 30) * grid }
    const liquidity = (fullRangeLiquidity * BigInt(random.between(1, 400))) / 100n + 1n
    positions.push({ ...range, liquidity })
    return change(range, liquidity, false)
  }

  /** Burns all or half of a position, or 0 to collect its fees. */
  const burn = (position: Position): SimulatedEvent => {
    const { tickLower, tickUpper, liquidity } = position
    const share = random.weighted({ all: 6, half: 2, nothing: 2 })
    const burned = { all: liquidity, half: liquidity / 2n, nothing: 0n }[share]
    positions.splice(positions.indexOf(position), 1)
    if (burned < liquidity) positions.push({ tickLower, tickUpper, liquidity: liquidity - burned })
    return change({ tickLower, tickUpper }, burned, true)
  }

  const drawTargetPrice = (): bigint => {
    const { tick } = pool.price()
    const edge = random.percent(2) ? random.pick([...positions, null]) : null
    if (edge !== null) return sqrtPriceAtTick(edge.tickLower)
    const drift = tick - startTick
    const back = Math.abs(drift) > driftTicksMax ? -Math.sign(drift) * stepTicksMax : 0
    return priceWithin(tick + back + random.between(-stepTicksMax, stepTicksMax), random)
  }

  const swap = (at: BlockRef): SimulatedEvent => {
    const fee = isDynamicFee(keyFee) ? random.between(1, 90) * 100 : keyFee
    const target = drawTargetPrice()
    const { sqrtPriceX96 } = pool.price()
    const amounts = pool.swapTo(target === sqrtPriceX96 ? target + 1n : target, fee)
    last = {
      lastSwapTs: at.ts,
      lastSwapBlock: at.block,
      lastSwapFee: plan.version === 'v3' ? null : fee,
    }
    return eventFactory.swap(amounts, pool.snapshot(), fee)
  }

  return {
    plan,
    snapshot: pool.snapshot,
    reserves: pool.reserves,
    depth: pool.depth,
    lastSwap: (): LastSwap => last,
    /** Creation, first price and first liquidity in one transaction. */
    create: (): readonly SimulatedEvent[] => {
      const fullRange = { tickLower: -tickEdge, tickUpper: tickEdge }
      return [
        ...eventFactory.creation(pool.snapshot()),
        change(fullRange, fullRangeLiquidity, false),
      ]
    },
    nextEvent: (at: BlockRef): SimulatedEvent => {
      if (random.percent(88)) return swap(at)
      const position = positions.length > 3 ? random.pick([...positions, null, null]) : null
      return position === null ? mint() : burn(position)
    },
  }
}

export type SimulatedPool = ReturnType<typeof createSimulatedPool>
