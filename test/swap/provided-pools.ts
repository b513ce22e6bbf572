import { type Address, decodeEventLog, type Hex, parseAbi } from 'viem'
import type { Call } from '../../sandbox/chain/sender.ts'
import {
  addLiquidity,
  createTrade,
  encodeCall,
  openPool,
  positionSalt,
  trimLiquidity,
} from '../../sandbox/market/calls.ts'
import { fullRange, rangeAround, sqrtPriceMax, sqrtPriceMin } from '../../sandbox/world/maths.ts'
import { buildPool, type Pool } from '../../sandbox/world/pool.ts'
import { type PoolSpec, v3, v4 } from '../../sandbox/world/pool-table.ts'
import { nativeAddress } from '../../sandbox/world/tokens.ts'
import type { IndexedPool, IndexedSandbox } from './indexed-sandbox.ts'
import type { Receipt } from './quiet-sandbox.ts'

/* Pools of the real contracts that are opened, provided with liquidity and traded by a test. */

const q96 = 2n ** 96n
/** Full-range dollars of a pool, beside the position that is watched. */
const baseUsd = 300_000
const positionUsd = 5_000
/** Dollars paid in by one swap after the other; the larger ones leave the range and come back. */
const swapsUsd = [3_000, 22_000, -24_000, -26_000, 24_000]

const specs: readonly PoolSpec[] = [
  v3('NVDA', 'USDG', 3000, baseUsd),
  v3('AAPL', 'USDG', 3000, baseUsd),
  v4('NVDA', 'USDG', [2000, 40], baseUsd),
  v3('TSLA', 'USDG', 500, baseUsd, { venue: 'PancakeSwap v3' }),
  // With the fee and the tick spacing of the factory.
  { ...v3('META', 'USDG', 500, baseUsd, { venue: 'Algebra Integral' }), tickSpacing: 60 },
]

export type ProvidedPool = {
  readonly pool: Pool
  /** Where the price begins. */
  readonly sqrtPriceX96: bigint
  readonly isUsdToken1: boolean
  readonly position: { readonly tickLower: number; readonly tickUpper: number; readonly salt: Hex }
  readonly liquidity: bigint
  /** Of the full range. */
  readonly baseLiquidity: bigint
}

type World = Pick<IndexedSandbox, 'manifest'>

const usdgDecimals = 6

/** Liquidity of so many dollars per unit of √price, from 1 / width of the range (1: all prices). */
const liquidityOf = (usd: number, root: number, isUsdToken1: boolean, width: number): bigint => {
  const raw = usd * 10 ** usdgDecimals
  return BigInt(Math.floor((isUsdToken1 ? raw / root : raw * root) / (2 * width)))
}

const keyedToken = ({ manifest }: World, key: string) => {
  const token = manifest.tokens.find((each) => each.key === key)
  if (token === undefined) throw new Error(`no token ${key}`)
  return { spec: { key }, address: token.address }
}

/** The price of another pool of these tokens, which is the market's. */
const marketPrice = ({ key }: Pool, pools: readonly IndexedPool[]): bigint => {
  const same = pools.filter(
    (each) => each.key.currency0 === key.currency0 && each.key.currency1 === key.currency1,
  )
  const deepest = same.toSorted((a, b) => (a.liquidity < b.liquidity ? 1 : -1))[0]
  if (deepest === undefined) throw new Error('no other pool of these tokens')
  return deepest.price.sqrtPriceX96
}

export const planPools = (world: World, indexed: readonly IndexedPool[]): readonly ProvidedPool[] =>
  specs.map((spec) => {
    const [a, b] = [keyedToken(world, spec.a), keyedToken(world, spec.b)]
    const hooks = { 'dynamic-fee': nativeAddress, 'returns-delta': nativeAddress }
    const pool = buildPool(spec, a, b, { ...world.manifest.contracts, hooks })
    const sqrtPriceX96 = marketPrice(pool, indexed)
    const root = Number(sqrtPriceX96) / Number(q96)
    const isUsdToken1 = pool.token1 === 'USDG'
    const range = rangeAround(root ** 2, 1 / 1.1, 1.1, pool.key.tickSpacing)
    const liquidity = liquidityOf(positionUsd, root, isUsdToken1, 1 - 1 / Math.sqrt(1.1))
    const position = { ...range, salt: positionSalt(7) }
    const baseLiquidity = liquidityOf(baseUsd, root, isUsdToken1, 1)
    return { pool, sqrtPriceX96, isUsdToken1, position, liquidity, baseLiquidity }
  })

const ownerAbi = parseAbi([
  'function setFeeProtocol(uint8 fee0, uint8 fee1)',
  'function setCommunityFee(uint16 fee)',
])

/** A quarter of token0's fees and a sixth of token1's; the first pool alone. */
const chargeV3 = ({ pool }: ProvidedPool): Call =>
  encodeCall(pool.id, ownerAbi, 'setFeeProtocol', [4, 6])

/** In each list a transaction of its own after the other. */
export const createPools = (world: World, provided: readonly ProvidedPool[]): readonly Call[] => [
  ...provided.flatMap(({ pool, sqrtPriceX96 }) => openPool(world.manifest, pool, sqrtPriceX96)),
  ...provided.slice(0, 1).map(chargeV3),
]

const baseOf = ({ key }: Pool) => ({ ...fullRange(key.tickSpacing), salt: positionSalt(0) })

export const fundPools = (world: World, provided: readonly ProvidedPool[]): readonly Call[] =>
  provided.map(({ pool, baseLiquidity }) =>
    addLiquidity(world.manifest, pool, baseOf(pool), baseLiquidity),
  )

/** A swap of so many dollars, of the stock where they are negative. */
const swapCall = (
  { manifest }: World,
  { pool, sqrtPriceX96, isUsdToken1 }: ProvidedPool,
  usd: number,
): Call => {
  const price = (Number(sqrtPriceX96) / Number(q96)) ** 2
  const raw = Math.abs(usd) * 10 ** usdgDecimals
  const stock = isUsdToken1 ? raw / price : raw * price
  const zeroForOne = usd > 0 !== isUsdToken1
  return createTrade(manifest, pool, {
    zeroForOne,
    amount: -BigInt(Math.floor(usd > 0 ? raw : stock)),
    limit: zeroForOne ? sqrtPriceMin + 1n : sqrtPriceMax - 1n,
    recipient: manifest.contracts.router,
  })
}

/** What happens in a block: a swap, or what comes between. */
export type Step = {
  readonly kind: 'swap' | 'base-fees' | 'mint' | 'fees'
  readonly calls: readonly Call[]
}

/** A swap, the position, the other swaps, its fees; after each swap the fees of the full range. */
export const tradeAndProvide = (
  world: World,
  provided: readonly ProvidedPool[],
): readonly Step[] => {
  const swap = (usd: number): readonly Step[] => [
    { kind: 'swap', calls: provided.map((each) => swapCall(world, each, usd)) },
    {
      kind: 'base-fees',
      calls: provided.map(({ pool }) => trimLiquidity(world.manifest, pool, baseOf(pool), 0n)),
    },
  ]
  const mint = provided.map(({ pool, position, liquidity }) =>
    addLiquidity(world.manifest, pool, position, liquidity),
  )
  const collect = provided.map(({ pool, position }) =>
    trimLiquidity(world.manifest, pool, position, 0n),
  )
  return [
    ...swap(10),
    { kind: 'mint', calls: mint },
    ...swapsUsd.flatMap(swap),
    { kind: 'fees', calls: collect },
  ]
}

const transferAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** What a transaction paid to the router, by token. */
export const paidTo = (router: Address, { logs }: Receipt): ReadonlyMap<Address, bigint> => {
  const paid = new Map<Address, bigint>()
  for (const { address, topics, data } of logs) {
    if (topics.length !== 3) continue
    try {
      const { args } = decodeEventLog({ abi: transferAbi, topics, data })
      if (args.to.toLowerCase() !== router) continue
      paid.set(address, (paid.get(address) ?? 0n) + args.value)
    } catch {
      // Another event with two indexed arguments.
    }
  }
  return paid
}
