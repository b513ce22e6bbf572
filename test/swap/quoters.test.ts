import { setImmediate } from 'node:timers/promises'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readUniswapArtifacts } from '../../sandbox/build/uniswap.ts'
import { latestBlock } from '../../sandbox/chain/rpc.ts'
import { createRandom, type Random, seedFor } from '../../sandbox/random.ts'
import {
  algebraInitCodeHash,
  pancakeInitCodeHash,
  v3InitCodeHash,
} from '../../sandbox/world/venues.ts'
import { algebraIntegral } from '../../src/domain/dex/algebra-integral/decode.ts'
import { pancakeswapInfinityCl } from '../../src/domain/dex/pancakeswap-infinity/decode.ts'
import { pancakeswapV3 } from '../../src/domain/dex/pancakeswap-v3/decode.ts'
import type { Protocol } from '../../src/domain/dex/protocol.ts'
import { slipstream } from '../../src/domain/dex/slipstream/decode.ts'
import { uniswapV3 } from '../../src/domain/dex/uniswap-v3/decode.ts'
import { uniswapV4 } from '../../src/domain/dex/uniswap-v4/decode.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { success } from '../../src/domain/outcome.ts'
import type { ContractFees } from '../../src/domain/pool/pool-state.ts'
import { type SwapResult, simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import type { Address } from '../../src/domain/units.ts'
import { createContractCheck } from '../../src/indexer/verify/contract-check.ts'
import { createMemoryLogger, createTestReader } from '../support/rpc/reader.ts'
import { amountMaxV4, drawAsks, drawLimited } from './drawn-asks.ts'
import { feeOfSwaps, isDynamic, type SwapFee } from './fees.ts'
import { type IndexedPool, type IndexedSandbox, openIndexedSandbox } from './indexed-sandbox.ts'
import { type Ask, createQuoters, type QuoterAnswer, type Quoters } from './quoters.ts'
import { countByQuoter, ticksBetween } from './ticks-counter.ts'
import { drawTrades, type PlayedTrade, playTrades } from './trades.ts'

/*
 * Simulated swaps in the pools as our index holds them, against Uniswap's quoters on the same
 * block, and against swaps that are mined afterwards.
 *
 *     index ─► simulate = quoters ─► swaps mined = simulated ─► index ─► ...
 */

const isDeep = process.env.TEST_TIER === 'T1'
const amountsPerSide = isDeep ? 200 : 16
const limitsPerPool = isDeep ? 200 : 16
const tradesPerPool = isDeep ? 40 : 8
const seed = Number(process.env.TEST_SEED ?? 1)

/** What a quoter answers, and what we simulate instead. */
type Comparison = {
  readonly ask: Ask
  readonly answer: QuoterAnswer | null
  readonly simulated: SwapResult
}
type Round = {
  readonly pools: readonly IndexedPool[]
  readonly comparisons: readonly Comparison[]
  readonly trades: readonly PlayedTrade[]
  readonly slot0s: ReadonlyMap<IndexedPool, ContractFees>
}

let sandbox: IndexedSandbox
let quoters: Quoters
const rounds: Round[] = []

/** What swaps pay at a block by our index, and the fees that the contracts hold. */
const feesAt = async (pools: readonly IndexedPool[], block: number) => {
  const [slot0s, ts] = [await quoters.feesAt(pools, block), await quoters.timeAt(block)]
  const fees = new Map<IndexedPool, SwapFee>(
    pools.map((pool) => [pool, feeOfSwaps(pool, slot0s.get(pool), ts)]),
  )
  return { slot0s, fees }
}

/** The node's server closes idle connections, which a long computation does not notice. */
const seeClosedConnections = (): Promise<void> => setImmediate()

type At = { readonly random: Random; readonly block: number; readonly fee: SwapFee }

const compare = async (
  pool: IndexedPool,
  { random, block, fee }: At,
): Promise<readonly Comparison[]> => {
  const limited = drawLimited(random, pool, { fee, count: limitsPerPool })
  const asks = [
    ...drawAsks(random, pool, { fee, count: amountsPerSide }),
    ...(pool.spec.version === 'v3' ? limited : []),
  ]
  const simulated = asks.map((ask) => simulateSwap(pool, { ...ask, fee: fee(ask.zeroForOne) }))
  await seeClosedConnections()
  const answers = await quoters.ask(asks, block)
  return asks.map((ask, index) => ({
    ...{ ask, answer: answers[index] ?? null },
    simulated: simulated[index] as SwapResult,
  }))
}

/** A protocol fee of v4-core: 0.1 % of token0, 0.0037 % of token1. */
const protocolFee = 1000 | (37 << 12)

/** Of v4 each direction of its own, and a pool that pays all to the protocol; of Algebra all. */
const changeFees = (pools: readonly IndexedPool[]) => {
  const v4 = pools.filter(({ spec, liquidity }) => spec.version === 'v4' && liquidity > 0n)
  const charged = [
    v4.find(({ key }) => key.fee === 3000),
    v4.find(({ key }) => key.fee === 0),
    v4.find(isDynamic),
  ]
  const calls = charged.flatMap((pool) =>
    pool === undefined ? [] : [sandbox.protocolFeeCall(pool, protocolFee)],
  )
  expect(calls).toHaveLength(3)
  const algebra = pools.filter(({ stored }) => stored.protocol === 'algebra-integral')
  expect(algebra).toHaveLength(3)
  // The next rounds show the new fees: without their logs the quotes would differ.
  const changes = algebra.flatMap((pool, index) => sandbox.algebraCalls(pool, 1200 + index))
  return sandbox.transact([...calls, ...changes])
}

beforeAll(async () => {
  sandbox = await openIndexedSandbox()
  quoters = createQuoters(sandbox)
  const random = createRandom(seedFor(seed, 'swaps'))
  for (let round = 0; round < 3; round++) {
    const { block, pools } = await sandbox.readPools()
    const { slot0s, fees } = await feesAt(pools, block)
    const comparisons: Comparison[] = []
    for (const [pool, fee] of fees) {
      comparisons.push(...(await compare(pool, { random, block, fee })))
    }
    const drawn = pools.map((pool) => drawTrades(random, pool, tradesPerPool))
    await seeClosedConnections()
    const feesMined = async (mined: number) => (await feesAt(pools, mined)).fees
    const trades = await playTrades(sandbox, drawn, feesMined)
    rounds.push({ pools, comparisons, trades, slot0s })
    if (round === 0) await changeFees(pools)
  }
})
afterAll(() => sandbox?.close())

const nameOf = ({ pool, zeroForOne, exact, amount, limitX96 }: Ask): string =>
  `${pool.id} ${zeroForOne ? '0→1' : '1→0'} exact ${exact} ${amount} to ${limitX96 ?? 'the end'}`

/** What QuoterV2 and V4Quoter refuse to answer. */
const isRefused = ({ ask, simulated }: Comparison): boolean => {
  const { amountIn, amountOut, filled } = simulated
  if (ask.pool.spec.version === 'v4') return !filled || amountIn > amountMaxV4
  const isShort = ask.exact === 'output' && ask.limitX96 === undefined && !filled
  // SwapCallback: "swaps entirely within 0-liquidity regions are not supported".
  return isShort || (amountIn === 0n && amountOut === 0n)
}

const expectEqual = (is: (each: Comparison) => unknown, should: (each: Comparison) => unknown) => {
  const wrong = rounds.flatMap(({ comparisons }) =>
    comparisons
      .filter((each) => is(each) !== should(each))
      .map((each) => `${nameOf(each.ask)}: ${is(each)}, not ${should(each)}`),
  )
  expect(wrong.slice(0, 10), `${wrong.length} differ`).toEqual([])
}

describe('at three blocks, in every pool', () => {
  test('enough is asked', () => {
    for (const { pools, comparisons } of rounds) {
      expect(pools.length).toBeGreaterThan(60)
      const unlimited = comparisons.filter(({ ask }) => ask.limitX96 === undefined)
      expect(unlimited).toHaveLength(pools.length * 4 * amountsPerSide)
      const versions = Map.groupBy(comparisons, ({ ask }) => ask.pool.spec.version)
      for (const some of versions.values()) {
        expect(some.filter(({ answer }) => answer === null).length).toBeGreaterThan(20)
        expect(some.filter(({ answer }) => answer !== null).length).toBeGreaterThan(1000)
      }
      expect(
        comparisons.filter(({ simulated }) => simulated.ticksCrossed > 3).length,
      ).toBeGreaterThan(50)
    }
  })

  test('the quoters refuse what ends early or moves nothing', () => {
    expectEqual(({ answer }) => answer === null, isRefused)
  })

  test('amounts are equal to the wei', () => {
    expectEqual(
      ({ answer }) => answer?.amount ?? null,
      ({ ask, answer, simulated }) => {
        if (answer === null) return null
        return ask.exact === 'input' ? simulated.amountOut : simulated.amountIn
      },
    )
  })

  test('v3: so is the price afterwards', () => {
    expectEqual(
      ({ answer }) => answer?.sqrtPriceX96 ?? null,
      ({ answer, simulated }) =>
        answer?.sqrtPriceX96 == null ? null : simulated.price.sqrtPriceX96,
    )
  })

  test('v3: QuoterV2 counts ticks as PoolTicksCounter does, not always those crossed', () => {
    expectEqual(
      ({ answer }) => answer?.ticksCrossed ?? null,
      ({ ask, answer, simulated }) => {
        if (answer?.ticksCrossed == null) return null
        const { price, tickMap, tickSpacing } = ask.pool
        const ends = [price.tick, simulated.price.tick] as const
        return countByQuoter(tickMap.ticks, tickSpacing ?? 1, ends)
      },
    )
    const counted = rounds.flatMap(({ comparisons }) =>
      comparisons.filter(({ answer }) => answer?.ticksCrossed != null),
    )
    const isRight = ({ answer, simulated }: Comparison): boolean =>
      answer?.ticksCrossed === simulated.ticksCrossed
    const isNegative = ({ ask, simulated }: Comparison): boolean =>
      Math.max(ask.pool.price.tick, simulated.price.tick) < 0
    for (const some of [counted.filter(isNegative), counted.filter((each) => !isNegative(each))]) {
      expect(some.filter(isRight).length).toBeGreaterThan(100)
      expect(some.filter((each) => !isRight(each)).length).toBeGreaterThan(10)
    }
  })

  test('ticks crossed are those of the map between the ticks before and afterwards', () => {
    expectEqual(
      ({ simulated }) => simulated.ticksCrossed,
      ({ ask, simulated }) =>
        ticksBetween(ask.pool.tickMap.ticks, ask.pool.price.tick, simulated.price.tick),
    )
  })

  test('the tick belongs to the price, or is the one below where a tick was crossed', () => {
    const isEither = ({ simulated: { price } }: Comparison): boolean => {
      const tick = tickAtSqrtPrice(price.sqrtPriceX96)
      return price.tick === tick || price.tick === tick - 1
    }
    expectEqual(isEither, () => true)
  })
})

test('v4: the index holds the fees of slot0', () => {
  for (const [round, { slot0s }] of rounds.entries()) {
    const held = [...slot0s].filter(
      ([{ stored, spec }]) => stored.fees !== null && spec.version === 'v4',
    )
    expect(held.length).toBeGreaterThan(20)
    for (const [{ id, stored }, slot0] of held) expect(stored.fees, id).toMatchObject(slot0)
    // A dynamic fee is known once it has been read, which an event does not wait for.
    const charged = held.filter(
      ([pool, slot0]) => slot0.protocolFee === protocolFee && !isDynamic(pool),
    )
    expect(charged).toHaveLength(round === 0 ? 0 : 2)
  }
})

test('Algebra: the index holds fee and tick spacing as their logs set them', () => {
  for (const [round, { pools }] of rounds.entries()) {
    const own = pools.filter(({ stored }) => stored.protocol === 'algebra-integral')
    const held = own.map(({ stored: { fees, settings } }) => [fees?.lpFee, settings?.tickSpacing])
    expect(held).toEqual(
      round === 0
        ? [
            [500, 60],
            [500, 60],
            [900, 30],
          ]
        : [
            [1200, 60],
            [1201, 60],
            [1202, 60],
          ].map(([fee], index) => [fee, 1 + index]),
    )
  }
})

test('QuoterV2 looks for pools by the bytecode that the sandbox deploys', () => {
  const { pool, pancakePool, algebraPool } = readUniswapArtifacts()
  expect(keccak256(pool.bytecode)).toBe(v3InitCodeHash)
  expect(keccak256(pancakePool.bytecode)).toBe(pancakeInitCodeHash)
  expect(keccak256(algebraPool.bytecode)).toBe(algebraInitCodeHash)
})

test('factories pass the checks of their own protocol only', async () => {
  const { rpc, manifest } = sandbox
  const { factory, forkFactory, pancakeFactory, pancakePoolDeployer, poolManager } =
    manifest.contracts
  const { slipstreamFactory, slipstreamImplementation } = manifest.contracts
  const { algebraFactory, algebraPoolDeployer } = manifest.contracts
  const head = await latestBlock(rpc)
  const confirmed = {
    ...{ block: Number(head.number), hash: head.hash, ts: Number(head.timestamp) },
  }
  const { reader } = createTestReader([manifest.urls.rpc], { chainId: manifest.chainId })
  /** `creator`: the pool deployer, or what the pools are clones of. */
  const check = async ({ network }: Protocol, address: Address, creator: Address | null) => {
    const venue = { address, poolDeployer: creator, poolImplementation: creator, stateView: null }
    const checked = createContractCheck({
      chain: reader,
      logger: createMemoryLogger(),
      confirmedBlock: async () => success(confirmed),
      contracts: network.contracts(venue).map((contract) => ({ ...contract, key: network.key })),
    })
    expect(await checked.refresh()).toBe(true)
    return checked.warning()
  }
  expect(await check(uniswapV3, factory, null)).toBe(null)
  expect(await check(uniswapV3, forkFactory, null)).toBe(null)
  expect(await check(uniswapV3, pancakeFactory, null)).toContain('it has a pool deployer')
  expect(await check(uniswapV3, poolManager, null)).toContain('is not a v3 factory')
  expect(await check(pancakeswapV3, pancakeFactory, pancakePoolDeployer)).toBe(null)
  expect(await check(pancakeswapV3, pancakeFactory, factory)).toContain('another pool deployer')
  expect(await check(pancakeswapV3, factory, pancakePoolDeployer)).toContain('is not a PancakeSwap')
  expect(await check(slipstream, slipstreamFactory, slipstreamImplementation)).toBe(null)
  expect(await check(slipstream, slipstreamFactory, factory)).toContain('clones of another')
  expect(await check(slipstream, factory, null)).toContain('is not a Slipstream factory')
  expect(await check(slipstream, pancakeFactory, null)).toContain('is not a Slipstream factory')
  expect(await check(uniswapV3, slipstreamFactory, null)).toContain('is not a v3 factory')
  expect(await check(algebraIntegral, algebraFactory, algebraPoolDeployer)).toBe(null)
  expect(await check(algebraIntegral, algebraFactory, factory)).toContain('another pool deployer')
  for (const other of [factory, pancakeFactory]) {
    const found = await check(algebraIntegral, other, algebraPoolDeployer)
    expect(found).toContain('is not a factory of Algebra Integral')
  }
  expect(await check(uniswapV3, algebraFactory, null)).toContain('is not a v3 factory')
  const algebraElsewhere = await check(pancakeswapV3, algebraFactory, algebraPoolDeployer)
  expect(algebraElsewhere).toContain('is not a PancakeSwap')
  expect(await check(uniswapV4, factory, null)).toContain('is not a v4 PoolManager')
  expect(await check(uniswapV4, poolManager, null)).toBe(null)
  expect(await check(pancakeswapInfinityCl, poolManager, null)).toContain('is not a CLPoolManager')
})

test('mined swaps move amounts, price, tick and liquidity as simulated', () => {
  const trades = rounds.flatMap((round) => round.trades)
  const wrong = trades.filter(({ mined, simulated }) => mined !== simulated)
  expect(wrong.slice(0, 10), `${wrong.length} differ`).toEqual([])
  const versions = Map.groupBy(trades, ({ version }) => version)
  for (const version of ['v3', 'v4'] as const) {
    const some = versions.get(version) ?? []
    expect(some.length).toBeGreaterThan(3 * 20 * (tradesPerPool / 2))
    expect(some.filter(({ isFilled }) => !isFilled).length).toBeGreaterThan(50)
    expect(some.filter(({ isFilled }) => isFilled).length).toBeGreaterThan(50)
  }
})
