import { type AbiEvent, decodeEventLog, parseAbiItem } from 'viem'
import { describe, expect, test } from 'vitest'
import { foreignManager } from '../../bench/chain/contracts-and-tokens.ts'
import { createSyntheticChain, type PlacedLog } from '../../bench/chain/generate.ts'
import { createLogStore } from '../../bench/chain/log-store.ts'
import {
  type ChainParams,
  defaultChainParams,
  lastChainBlock,
  originBlock,
} from '../../bench/chain/params.ts'
import { createSyntheticPool } from '../../bench/chain/pool.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import { sqrtPriceAtTick } from '../../src/domain/math/tick-math.ts'
import type { PoolEvent } from '../../src/domain/pool/pool-event.ts'
import {
  applyPoolEvent,
  createPoolIdentity,
  createTrackedPool,
  type TrackedPool,
} from '../../src/domain/pool/tracked-pool.ts'
import type { EventArguments } from '../support/domain/dex-fixture.ts'
import { initCodeHash, keccak } from '../support/domain/sample-pool.ts'
import { uniswapV3Fixture } from '../support/domain/uniswap-v3-fixture.ts'
import { uniswapV4Fixture } from '../support/domain/uniswap-v4-fixture.ts'

/*
 * The synthetic chain must itself be true: its bytes are what a general encoder writes, its pools
 * do what the contracts do, and it is the same in every run.
 */

const params: ChainParams = {
  ...defaultChainParams,
  seed: 3,
  pools: 60,
  blocks: 500,
  events: 3000,
  blockSeconds: 20,
}
const chain = createSyntheticChain(params)
const placeOf = ({ block, logIndex }: { block: number; logIndex: number }) => `${block}:${logIndex}`
const logs = new Map(chain.logs.map((log) => [placeOf(log), log]))

/** What a log means, read by a general decoder and a second writing-down of each event. */
const meaningOf = (log: PlacedLog, fixture: typeof uniswapV3Fixture) => {
  const abi = fixture.declarations.map((each) => parseAbiItem([each]) as unknown as AbiEvent)
  const topics = log.topics as [`0x${string}`]
  const { eventName, args } = decodeEventLog({ abi, topics, data: log.data })
  const lower = Object.entries(args as unknown as Record<string, unknown>).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toLowerCase() : value,
  ])
  const meaning = fixture.expectedEvents[eventName as string]
  return meaning?.(Object.fromEntries(lower) as EventArguments, {
    ...log,
    blockHash: '0x',
    ts: 0,
  })
}

const isV4 = ({ poolId }: PoolEvent): boolean => poolId.length === 66

test('every log says in bytes what its event says in words', () => {
  for (const { at, ...event } of chain.events) {
    const log = logs.get(placeOf(at)) as PlacedLog
    const fixture = isV4({ at, ...event } as PoolEvent) ? uniswapV4Fixture : uniswapV3Fixture
    expect(meaningOf(log, fixture)).toEqual(event)
    expect(log.txHash).toBe(at.txHash)
  }
})

test('there is everything in it: kinds of events, crossings, fees that a hook sets', () => {
  const kinds = Map.groupBy(chain.events, ({ kind }) => kind)
  expect(kinds.get('created')?.length).toBe(params.pools)
  const changes = kinds.get('liquidity-changed') ?? []
  expect((kinds.get('swapped')?.length ?? 0) + changes.length).toBe(params.events)
  const deltas = changes.flatMap((each) => ('liquidityDelta' in each ? [each.liquidityDelta] : []))
  expect(deltas.some((delta) => delta < 0n) && deltas.includes(0n)).toBe(true)
  const byPool = Map.groupBy(chain.events, ({ poolId }) => poolId)
  const [most = 0] = [...byPool.values()].map((own) => own.length).sort((a, b) => b - a)
  expect(most).toBeGreaterThan(params.events / 10)
})

test('pools of other venues speak of the very same pools', () => {
  const ids = new Set(chain.events.map(({ poolId }) => poolId))
  const foreign = chain.logs.filter(({ address }) => address === foreignManager)
  expect(foreign.length).toBeGreaterThan(0)
  expect(foreign.every(({ topics }) => ids.has(topics[1] ?? '0x'))).toBe(true)
})

test('ids follow from their keys', () => {
  for (const event of chain.events) {
    if (event.kind !== 'created') continue
    const { computeId } = getProtocol(event.protocol)
    const venue = {
      address: event.venue,
      initCodeHash,
      poolDeployer: null,
      poolImplementation: null,
    }
    expect(computeId(event.key, venue, keccak)).toBe(event.poolId)
  }
})

test('the liquidity that a swap names is the net of the positions at its tick', () => {
  const pools = new Map<string, TrackedPool>()
  for (const event of chain.events) {
    const { poolId: id } = event
    if (event.kind === 'created') {
      pools.set(id, createTrackedPool(createPoolIdentity(event, 1), event.initial))
    } else pools.set(id, applyPoolEvent(pools.get(id) as TrackedPool, event))
  }
  for (const { state } of pools.values()) expect(state.mapFault).toBeNull()
})

test('the same seed draws the same chain, another seed another one', () => {
  expect(createSyntheticChain(params).logs).toEqual(chain.logs)
  expect(createSyntheticChain({ ...params, seed: 4 }).logs.slice(0, 50)).not.toEqual(
    chain.logs.slice(0, 50),
  )
})

//     1000 ... 1299 --- 1300 ... 1499
//                   '-- 1300'... 1499'
test('a fork is the same chain up to its block', () => {
  const fork = { at: originBlock + 300, seed: 8 }
  const other = createSyntheticChain({ ...params, fork })
  const upTo = (all: readonly PlacedLog[]) => all.filter(({ block }) => block < fork.at)
  expect(upTo(other.logs)).toEqual(upTo(chain.logs))
  expect(other.blockRefAt(fork.at - 1)).toEqual(chain.blockRefAt(fork.at - 1))
  expect(other.blockRefAt(fork.at).hash).not.toBe(chain.blockRefAt(fork.at).hash)
  expect(other.logs.slice(-50)).not.toEqual(chain.logs.slice(-50))
})

describe('a pool swaps as the contracts do', () => {
  const liquidity = 10n ** 24n
  const pool = () => {
    const made = createSyntheticPool(sqrtPriceAtTick(0) + 1n)
    made.change({ tickLower: -600, tickUpper: 600 }, liquidity)
    made.change({ tickLower: -60, tickUpper: 60 }, liquidity)
    return made
  }

  test.each([
    ['up within a range', sqrtPriceAtTick(30) + 7n, 30, 2n],
    ['up across a tick', sqrtPriceAtTick(90) + 7n, 90, 1n],
    ['up onto a tick that holds positions: it is crossed', sqrtPriceAtTick(60), 60, 1n],
    ['down onto a tick that holds positions: it ends below', sqrtPriceAtTick(-60), -61, 1n],
    ['down across a tick', sqrtPriceAtTick(-90) + 7n, -90, 1n],
  ])('%s', (_what, limit, tick, ranges) => {
    const one = pool()
    const before = one.reserves()
    const { amount0, amount1 } = one.swapTo(limit, 3000)
    const after = one.reserves()
    expect(one.snapshot()).toEqual({ sqrtPriceX96: limit, tick, liquidity: liquidity * ranges })
    // What comes in stays but for the fee and the roundings; what goes out is gone.
    const [paid, got] = amount0 > 0n ? [amount0, amount1] : [amount1, amount0]
    const moved = [after.amount0 - before.amount0, after.amount1 - before.amount1]
    const [kept, left] = amount0 > 0n ? moved : moved.toReversed()
    expect(Number((paid * 997_000n) / 1_000_000n - (kept ?? 0n))).toBeLessThan(8)
    expect(Math.abs(Number(got - (left ?? 0n)))).toBeLessThan(8)
    expect(got).toBeLessThan(0n)
  })
})

test('logs are found by block, address and topic as a plain filter finds them', () => {
  const book = createLogStore(chain, 'right')
  const last = lastChainBlock(params)
  const all = new Set(chain.logs.map(({ topics }) => topics[0] as `0x${string}`))
  const read = (query: Parameters<typeof book>[0]) => {
    const { count, parts } = book(query)
    const text = Buffer.concat(parts).toString()
    const found = JSON.parse(`[${text.slice(0, -1)}]`) as {
      blockNumber: string
      logIndex: string
    }[]
    expect(found.length).toBe(count)
    return found.map(({ blockNumber: block, logIndex }) => `${Number(block)}:${Number(logIndex)}`)
  }
  const span = { from: originBlock + 10, to: last - 10 }
  const within = chain.logs.filter(({ block }) => block >= span.from && block <= span.to)
  expect(read({ ...span, addresses: null, topics: [all] })).toEqual(within.map(placeOf))
  const [address, id] = [chain.logs[60]?.address as `0x${string}`, chain.events.find(isV4)?.poolId]
  expect(read({ ...span, addresses: new Set([address]), topics: [] })).toEqual(
    within.filter((log) => log.address === address).map(placeOf),
  )
  expect(read({ ...span, addresses: null, topics: [null, new Set([id ?? '0x'])] })).toEqual(
    within.filter(({ topics }) => topics[1] === id).map(placeOf),
  )
})
