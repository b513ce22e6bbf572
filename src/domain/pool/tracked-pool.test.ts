import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSampleChain } from '../../../test/support/domain/sample-chain.ts'
import { anyHistory } from '../../../test/support/domain/sample-history.ts'
import {
  createSampleIndex,
  poolOf,
  rootPrice,
  tokens,
} from '../../../test/support/domain/sample-market.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import type { Address } from '../units.ts'
import { listTicks } from './tick-map.ts'
import { isReserveShort, principalOf, type TrackedPool, withReserveShort } from './tracked-pool.ts'

const ether = 10n ** 18n
const pair = { token0: tokens.apple, token1: tokens.weth }
const hooks: Address = '0x00000000000000000000000000000000000000c0'

/** A pool of the sample world, and the indexer's picture of it after each block. */
const watch = (version: 'v3' | 'v4', key: { readonly hooks?: Address } = {}) => {
  const chain = createSampleChain()
  const index = createSampleIndex()
  const pool = poolOf(chain.emit, version, { ...pair, ...key })
  return {
    pool,
    put: index.book.put,
    see: (): TrackedPool => {
      chain.mine()
      index.ingest(chain.blocks().at(-1)?.logs ?? [])
      return index.book.byId(pool.id) as TrackedPool
    },
  }
}

describe.each(['v3', 'v4'] as const)('the life of a %s pool', (version) => {
  //   tick   -1200    -600      0      600     1200
  //             [== 5 ==)
  //                    [======= 7 ======)
  //                                     [== 3 ==)
  it('is followed through creation, liquidity in and out of range, swaps and burns', () => {
    const { pool, see } = watch(version)

    pool.create(rootPrice(1n))
    const created = see()
    expect(created.state.price).toEqual({ sqrtPriceX96: rootPrice(1n), tick: 0 })
    expect(created.state).toMatchObject({ liquidity: 0n, reserves: { amount0: 0n, amount1: 0n } })

    pool.mint(-600, 600, 7n * ether)
    pool.mint(-1200, -600, 5n * ether)
    pool.mint(600, 1200, 3n * ether)
    const provided = see()
    expect(provided.state.liquidity).toBe(7n * ether)
    expect(provided.state.reserves).toEqual(pool.reserves())
    expect(listTicks(provided.tickMap)).toEqual([...pool.rows()].sort((a, b) => a.tick - b.tick))

    const received = pool.swapTo(sqrtPriceAtTick(900))
    const swapped = see()
    expect(swapped.state).toMatchObject({
      price: { tick: 900 },
      liquidity: 3n * ether,
      mapFault: null,
      lastSwapFee: version === 'v4' ? 3000 : null,
    })
    expect(swapped.state.reserves).toEqual({
      amount0: (provided.state.reserves?.amount0 ?? 0n) + received.amount0,
      amount1: (provided.state.reserves?.amount1 ?? 0n) + received.amount1,
    })

    pool.burn(600, 1200, 3n * ether)
    const burnt = see()
    expect(burnt.state).toMatchObject({ liquidity: 0n, mapFault: null })
    expect(burnt.state.reserves).toEqual(pool.reserves())
    expect(burnt.state.reserves?.amount0).toBe(0n)
  })

  it('has the liquidity of the lower side after a swap down onto a tick', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, 7n * ether)
    pool.mint(-1200, -600, 5n * ether)
    pool.swapTo(sqrtPriceAtTick(-600))
    const { state } = see()
    expect(state.price).toEqual({ sqrtPriceX96: sqrtPriceAtTick(-600), tick: -601 })
    expect(state).toMatchObject({ liquidity: 5n * ether, mapFault: null })
    // A position that begins on the very tick is not in range; one that ends there is.
    pool.mint(-600, 0, ether)
    pool.mint(-660, -600, ether)
    expect(see().state.liquidity).toBe(6n * ether)
  })

  //   tick    -60        0        60
  //             [== 2 ==)              not in range: it ends where the price stands
  //                      [== 3 ==)     in range: it begins there
  it('counts a position from its lower end on and up to, without, its upper end', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-60, 0, 2n * ether)
    expect(see().state.liquidity).toBe(0n)
    pool.mint(0, 60, 3n * ether)
    expect(see().state.liquidity).toBe(3n * ether)
    pool.burn(0, 60, ether)
    pool.burn(-60, 0, ether)
    expect(see().state.liquidity).toBe(2n * ether)
  })

  it('holds exactly nothing when all positions are gone', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, 7n * ether)
    pool.swapTo(rootPrice(101n, 100n))
    pool.burn(-600, 600, 3n * ether)
    pool.burn(-600, 600, 4n * ether)
    const { state, tickMap: map } = see()
    expect(state.reserves).toEqual({ amount0: 0n, amount1: 0n })
    expect(state).toMatchObject({ liquidity: 0n, mapFault: null })
    expect(map.ticks).toEqual([])
  })

  it('is not changed by a liquidity change of zero', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, 7n * ether)
    const before = see()
    pool.burn(-600, 600, 0n)
    expect(see()).toEqual(before)
  })

  it('admits a gap when a swap knows of other liquidity than the map', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, 7n * ether)
    see()
    const price = { sqrtPriceX96: rootPrice(101n, 100n), tick: 199 }
    pool.emitSwap({ amount0: -1n, amount1: 1n }, { ...price, liquidity: 8n * ether })
    const { state } = see()
    expect(state).toMatchObject({ price, liquidity: 8n * ether })
    expect(state).toMatchObject({ mapFault: 'index_gap', reserves: null })
    // The gap stays until the pool is rebuilt, also if a later swap fits by chance.
    pool.emitSwap({ amount0: 1n, amount1: -1n }, { ...price, liquidity: 7n * ether })
    expect(see().state).toMatchObject({ mapFault: 'index_gap', reserves: null })
  })

  it('admits a gap when more is burnt than was ever seen', () => {
    const { pool, see } = watch(version)
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, 7n * ether)
    const before = see()
    const chain = createSampleChain()
    const ghost = poolOf(chain.emit, version, pair)
    ghost.burn(-600, 600, 8n * ether)
    chain.mine()
    const index = createSampleIndex()
    index.book.put(before)
    index.ingest(chain.logs())
    const after = index.book.byId(pool.id)
    expect(after?.state).toMatchObject({ mapFault: 'index_gap', reserves: null, liquidity: 0n })
    expect(after?.tickMap).toEqual(before.tickMap)
  })
})

describe('a v3 pool', () => {
  it('has no price until it is initialised, and holds nothing', () => {
    const chain = createSampleChain()
    const index = createSampleIndex()
    const pool = poolOf(chain.emit, 'v3', pair)
    pool.create(rootPrice(1n))
    chain.mine()
    const { candles } = index.ingest(chain.logs().slice(0, 1))
    expect(index.book.byId(pool.id)?.state).toMatchObject({
      price: null,
      reserves: { amount0: 0n, amount1: 0n },
    })
    expect(candles).toEqual([])
    const initialised = index.ingest(chain.logs().slice(1))
    expect(index.book.byId(pool.id)?.state.price).toEqual({ sqrtPriceX96: 1n << 96n, tick: 0 })
    expect(initialised.candles.map((each) => [each.width, each.close, each.swaps])).toEqual([
      [60, 1, 0],
      [3600, 1, 0],
      [86_400, 1, 0],
    ])
  })
})

describe('a pool that holds less than its positions', () => {
  const fund = () => {
    const watched = watch('v3')
    watched.pool.create(rootPrice(1n))
    watched.pool.mint(-600, 600, 7n * ether)
    return watched
  }

  it('has no reserves and no depth, until it holds enough again', () => {
    const whole = fund().see()
    const short = withReserveShort(whole, true)
    expect(short.state).toEqual({
      ...whole.state,
      mapFault: 'reserve_short',
      reserves: null,
      depth: null,
    })
    expect([isReserveShort(whole), isReserveShort(short)]).toEqual([false, true])
    expect(principalOf(short)).toEqual(whole.state.reserves)
    expect(withReserveShort(short, true)).toBe(short)
    expect(withReserveShort(short, false)).toEqual(whole)
    expect(withReserveShort(whole, false)).toBe(whole)
  })

  it('stays short through swaps and changes of its liquidity', () => {
    const { pool, see, put } = fund()
    put(withReserveShort(see(), true))
    pool.swapTo(rootPrice(101n, 100n))
    pool.mint(-1200, 1200, ether)
    pool.burn(-600, 600, 2n * ether)
    const after = see()
    expect(after.state).toMatchObject({ mapFault: 'reserve_short', reserves: null, depth: null })
    expect(principalOf(after)).toEqual(pool.reserves())
    expect(withReserveShort(after, false).state.reserves).toEqual(pool.reserves())
  })

  it.each<[string, (pool: ReturnType<typeof watch>['pool']) => void]>([
    [
      'a swap that knows of other liquidity',
      (pool) => {
        const price = { sqrtPriceX96: rootPrice(101n, 100n), tick: 199 }
        pool.emitSwap({ amount0: -1n, amount1: 1n }, { ...price, liquidity: 8n * ether })
      },
    ],
    ['a burn of more than was seen', (pool) => pool.burn(-600, 600, 8n * ether)],
  ])('has a gap instead after %s', (_, act) => {
    const { pool, see, put } = fund()
    put(withReserveShort(see(), true))
    act(pool)
    const gap = see()
    expect(gap.state).toMatchObject({ mapFault: 'index_gap', reserves: null })
    // What it should hold is unknown.
    expect(withReserveShort(gap, true)).toBe(gap)
    expect(withReserveShort(gap, false)).toBe(gap)
  })

  //   ─────●──────────────   found short at ●, then lives on: apart from the fault it is as if not
  it('lives on as every other pool, whatever happens to it', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), ({ blocks }, cut) => {
        const logsOf = (some: typeof blocks) => some.flatMap(({ logs }) => logs)
        const [before, after] = [
          blocks.slice(0, cut % blocks.length),
          blocks.slice(cut % blocks.length),
        ]
        const [honest, short] = [createSampleIndex(), createSampleIndex()]
        for (const index of [honest, short]) index.ingest(logsOf(before))
        const found = [...short.book.all()].filter(({ identity }) => identity.version === 'v3')
        for (const pool of found) short.book.put(withReserveShort(pool, true))
        for (const index of [honest, short]) index.ingest(logsOf(after))
        for (const { identity } of found) {
          const [pool, expected] = [short, honest].map(({ book }) => book.byId(identity.id))
          if (pool === undefined || expected === undefined) throw new Error('no pool')
          const fault = expected.state.mapFault ?? 'reserve_short'
          expect(pool.state).toMatchObject({ mapFault: fault, reserves: null, depth: null })
          expect(withReserveShort(pool, false)).toEqual(expected)
        }
      }),
    )
  })
})

describe('a hooked v4 pool', () => {
  it('is as any other while its positions hold the tokens', () => {
    const { pool, see } = watch('v4', { hooks })
    pool.create(rootPrice(1n))
    pool.mint(-600, 600, ether)
    pool.swapTo(rootPrice(101n, 100n))
    const { state, identity } = see()
    expect(identity.key.hooks).toBe(hooks)
    expect(state).toMatchObject({ mapFault: null, reserves: pool.reserves() })
  })

  it('trades by its hook when it trades without any liquidity', () => {
    const { pool, see } = watch('v4', { hooks })
    pool.create(rootPrice(1n))
    pool.emitSwap({ amount0: 0n, amount1: 0n }, { ...pool.price(), liquidity: 0n })
    expect(see().state).toMatchObject({ mapFault: 'hook_custom_accounting', reserves: null })
    // A pool without hooks that does the same has merely no liquidity.
    const plain = watch('v4')
    plain.pool.create(rootPrice(1n))
    plain.pool.emitSwap({ amount0: 0n, amount1: 0n }, { ...plain.pool.price(), liquidity: 0n })
    expect(plain.see().state).toMatchObject({ mapFault: null })
  })

  it('has a gap, not a hook of its own mind, when the swap knows of liquidity', () => {
    const { pool, see } = watch('v4', { hooks })
    pool.create(rootPrice(1n))
    pool.emitSwap({ amount0: -1n, amount1: 1n }, { ...pool.price(), liquidity: ether })
    expect(see().state).toMatchObject({ mapFault: 'index_gap', reserves: null })
  })
})
