import { type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Decimals, readDecimals } from './numbers/contracts.ts'
import { approx, wholeOf } from './numbers/exact.ts'
import { atOneMoment, type Moment, openService } from './numbers/moment.ts'
import { type Replayed, replayAll, tickRowsOf } from './numbers/replay.ts'

/*
 * What moves the price of each v3 pool by 2 %: the service's store against swaps of the pools' own
 * contracts that end at exactly that price.
 */

const service = openService()
afterAll(() => service.stored.close())

/** Slipstream's keys have no fee; the pool says what it is. */
const dynamicFee = 0x80_0000
const swapAbi = parseAbi([
  'function fee() view returns (uint24)',
  'function swap(address, bool, int256, uint160, bytes) returns (int256, int256)',
])

/** More than any pool takes for 2 %. */
const enough = 2n ** 120n
const feeParts = 1_000_000n
/** TickMath's bounds, within which a swap must end. */
const priceMin = 4_295_128_740n
const priceMax = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n

/** floor(√value) by halving. */
const root = (value: bigint): bigint => {
  let [low, high] = [0n, 2n ** 161n]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle * middle <= value) low = middle
    else high = middle - 1n
  }
  return low
}

type Move = { readonly isDown: boolean; readonly side: 0 | 1; readonly share: [bigint, bigint] }

/** Per token, the move of the other token's price that takes it in and the one that pays it out. */
const moves: readonly Move[] = [
  { isDown: true, side: 0, share: [100n, 102n] },
  { isDown: false, side: 0, share: [100n, 98n] },
  { isDown: false, side: 1, share: [102n, 100n] },
  { isDown: true, side: 1, share: [98n, 100n] },
]

const readFee = async (pool: Hex, block: number): Promise<number> => {
  const call = { to: pool, abi: swapAbi, functionName: 'fee' }
  const [fee] = await service.chain.view([call], block)
  return Number(fee)
}

/** What one side pays or gets, without the fee; null where the tokens themselves refuse. */
const swapOf = async (
  { created }: Replayed,
  { isDown, side, share }: Move,
  { price, block }: { readonly price: bigint; readonly block: number },
): Promise<bigint | null> => {
  const { router } = service.manifest.contracts
  const isMoving = created.key.fee === dynamicFee
  const target = root((price ** 2n * share[0]) / share[1])
  const limit = target < priceMin ? priceMin : target > priceMax ? priceMax : target
  const call = {
    to: created.pool,
    abi: swapAbi,
    functionName: 'swap',
    args: [router, isDown, enough, limit, '0x'],
  }
  const [answer] = await service.chain.dryRun([call], router, block).catch((fault: unknown) => {
    if (String(fault).includes('revert')) return [null]
    throw fault
  })
  if (answer === null) return null
  const amount = (answer as readonly bigint[])[side] ?? 0n
  if (amount < 0n) return -amount
  const fee = isMoving ? await readFee(created.pool, block) : created.key.fee
  return (amount * (feeParts - BigInt(fee))) / feeParts
}

type Swapped = { readonly pool: Replayed; readonly amounts: readonly (bigint | null)[] }

let moment: Moment
let swapped: readonly Swapped[]
let decimals: Decimals

beforeAll(async () => {
  const read = await atOneMoment(service, async ({ block, stored }) => {
    const all = [...replayAll(await service.events.upTo(block)).values()]
    const pools = all.filter(({ created }) => stored.pools.has(created.pool))
    const v3 = pools.filter(({ created }) => {
      const { sqrtPriceX96 = null } = stored.pools.get(created.pool) ?? {}
      return created.version === 'v3' && sqrtPriceX96 !== null
    })
    const done = await Promise.all(
      v3.map(async (pool) => {
        const price = stored.pools.get(pool.created.pool)?.sqrtPriceX96 ?? 0n
        const amounts = moves.map((move) => swapOf(pool, move, { price, block }))
        return { pool, amounts: await Promise.all(amounts) }
      }),
    )
    return { done, decimals: await readDecimals(service.chain, pools, block) }
  })
  moment = read.moment
  swapped = read.found.done
  decimals = read.found.decimals
})

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

test('is what the contracts take or pay for the move, the smaller direction', () => {
  let compared = 0
  let deep = 0
  for (const { pool, amounts } of swapped) {
    const stored = moment.stored.pools.get(pool.created.pool)
    for (const [side, depth] of [stored?.depth0, stored?.depth1].entries()) {
      const [paidIn, paidOut] = amounts.slice(side * 2)
      if (paidIn == null || paidOut == null) continue
      const expected = lesser(paidIn, paidOut)
      const gap = Number((depth ?? -1n) - expected)
      // Each step of a swap rounds its amount and its fee.
      const rounding = 4 * (tickRowsOf(pool).length + 8) + 1e-12 * Number(expected)
      expect(Math.abs(gap), `${pool.created.pool} side ${side}`).toBeLessThan(rounding)
      compared += 1
      if (expected > 1000n) deep += 1
    }
  }
  expect(compared).toBeGreaterThanOrEqual(30)
  expect(deep).toBeGreaterThanOrEqual(20)
})

test('is served in dollars of the trusted side', () => {
  let compared = 0
  for (const row of moment.pools) {
    const stored = moment.stored.pools.get(row.id as Hex)
    const isStockTrusted = row.kind === 'meme'
    const raw = row.stockIsToken0 === isStockTrusted ? stored?.depth0 : stored?.depth1
    const usd = isStockTrusted ? row.stockPriceUsd : row.otherPriceUsd
    const token = isStockTrusted ? row.stockAddress : row.otherAddress
    const digits = decimals.get(token) ?? null
    if (row.reserveSource !== 'ticks' || raw == null || digits === null) {
      expect(row.depthUsd, row.id).toBeNull()
    } else if (raw === 0n) expect(row.depthUsd, row.id).toBe(0)
    else if (usd === null) expect(row.depthUsd, row.id).toBeNull()
    else {
      const expected = approx(wholeOf(raw, digits)) * usd
      expect(Math.abs((row.depthUsd ?? -1) / expected - 1), row.id).toBeLessThan(1e-12)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThanOrEqual(20)
})
