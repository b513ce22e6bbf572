import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbi } from 'viem'
import type { Manifest } from '../../../sandbox/manifest.ts'
import type { Call, Chain } from './chain.ts'
import type { Position, Replayed, TickRow } from './replay.ts'

/*
 * What Uniswap's own contracts say of a pool: a v3 pool by its functions, a v4 pool by the
 * StateView; and the sandbox's router, which owns every position and can try to burn it.
 */

const price = 'uint160 sqrtPriceX96, int24 tick'
const v3Abi = parseAbi([
  `function slot0() view returns (${price})`,
  'function liquidity() view returns (uint128)',
  'function tickBitmap(int16) view returns (uint256)',
  'function ticks(int24) view returns (uint128, int128)',
  'function burn(int24, int24, uint128) returns (uint256, uint256)',
])
/** Algebra's functions of the same meaning, by the names of Uniswap's. */
const algebraAbi = parseAbi([
  `function globalState() view returns (${price}, uint16, uint8, uint16, bool)`,
  'function liquidity() view returns (uint128)',
  'function tickTable(int16) view returns (uint256)',
  'function ticks(int24) view returns (uint256, int128, int24, int24, uint256, uint256)',
  'function burn(int24, int24, uint128, bytes) returns (uint256, uint256)',
])
const algebraNames: Readonly<Record<string, string>> = {
  ...{ slot0: 'globalState', tickBitmap: 'tickTable' },
}
const stateViewAbi = parseAbi([
  `function getSlot0(bytes32) view returns (${price}, uint24, uint24)`,
  'function getLiquidity(bytes32) view returns (uint128)',
  'function getTickBitmap(bytes32, int16) view returns (uint256)',
  'function getTickLiquidity(bytes32, int24) view returns (uint128 gross, int128 net)',
])
const routerAbi = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 spacing; address hooks; }',
  'struct Change { int24 lower; int24 upper; int256 liquidityDelta; bytes32 salt; }',
  'function changeV4(Key key, Change change) returns (int128, int128)',
])

/** TickMath's outermost ticks. */
const tickMax = 887_272
const ticksPerWord = 256

const tokenAbi = parseAbi(['function decimals() view returns (uint8)'])
const native: Address = '0x0000000000000000000000000000000000000000'

type Contracts = Manifest['contracts']

/** By token; null where the contract does not report them. */
export type Decimals = ReadonlyMap<Address, number | null>

export const readDecimals = async (
  chain: Chain,
  pools: readonly Replayed[],
  block: number,
): Promise<Decimals> => {
  const sides = pools.flatMap(({ created: { key } }) => [key.token0, key.token1])
  const tokens = [...new Set(sides)].filter((token) => token !== native)
  const calls = tokens.map((to) => ({ to, abi: tokenAbi, functionName: 'decimals' }))
  const answers = (await chain.view(calls, block)) as readonly (number | null)[]
  const entries = tokens.map((token, index) => [token, answers[index] ?? null] as const)
  return new Map([...entries, [native, 18]])
}

/** The same question to either version. */
const asked = (
  { created }: Replayed,
  { stateView, algebraFactory }: Contracts,
  names: { readonly v3: string; readonly v4: string },
  args: readonly unknown[] = [],
): Call => {
  const to = created.pool
  if (created.venue === algebraFactory.toLowerCase()) {
    return { to, abi: algebraAbi, functionName: algebraNames[names.v3] ?? names.v3, args }
  }
  return created.version === 'v3'
    ? { to, abi: v3Abi, functionName: names.v3, args }
    : { to: stateView, abi: stateViewAbi, functionName: names.v4, args: [to, ...args] }
}

/** Units of a bit of the bitmap: Algebra does not divide ticks by their spacing. */
const bitSpacingOf = ({ created }: Replayed, { algebraFactory }: Contracts): number =>
  created.venue === algebraFactory.toLowerCase() ? 1 : created.key.tickSpacing

export type ContractState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/** Price, tick and in-range liquidity of each pool. */
export const readStates = async (
  chain: Chain,
  contracts: Contracts,
  pools: readonly Replayed[],
  block: number,
): Promise<ReadonlyMap<Hex, ContractState>> => {
  const calls = pools.flatMap((pool) => [
    asked(pool, contracts, { v3: 'slot0', v4: 'getSlot0' }),
    asked(pool, contracts, { v3: 'liquidity', v4: 'getLiquidity' }),
  ])
  const answers = await chain.view(calls, block)
  return new Map(
    pools.map(({ created }, index) => {
      const [sqrtPriceX96, tick] = answers[index * 2] as readonly [bigint, number]
      const liquidity = answers[index * 2 + 1] as bigint
      return [created.pool, { sqrtPriceX96, tick, liquidity }]
    }),
  )
}

/** All ticks whose bit is set in the words of the bitmap. */
const ticksInWord = (bits: bigint, word: number, tickSpacing: number): readonly number[] => {
  const ticks: number[] = []
  for (let rest = bits, bit = 0; rest > 0n; rest >>= 1n, bit++) {
    if ((rest & 1n) === 1n) ticks.push((word * ticksPerWord + bit) * tickSpacing)
  }
  return ticks
}

const wordsOf = (tickSpacing: number): readonly number[] => {
  const wordMax = Math.floor(tickMax / tickSpacing / ticksPerWord)
  return Array.from({ length: 2 * wordMax + 2 }, (_, index) => index - wordMax - 1)
}

/** Every tick that a pool's contract has, found by its whole bitmap, ascending. */
export const readTicks = async (
  chain: Chain,
  contracts: Contracts,
  pools: readonly Replayed[],
  block: number,
): Promise<ReadonlyMap<Hex, readonly TickRow[]>> => {
  const bitmap = { v3: 'tickBitmap', v4: 'getTickBitmap' }
  const words = pools.flatMap((pool) =>
    wordsOf(bitSpacingOf(pool, contracts)).map((word) => ({ pool, word })),
  )
  const calls = words.map(({ pool, word }) => asked(pool, contracts, bitmap, [word]))
  const bits = (await chain.view(calls, block)) as readonly bigint[]
  const places = words.flatMap(({ pool, word }, index) =>
    ticksInWord(bits[index] ?? 0n, word, bitSpacingOf(pool, contracts)).map((tick) => ({
      pool,
      tick,
    })),
  )
  const names = { v3: 'ticks', v4: 'getTickLiquidity' }
  const values = (await chain.view(
    places.map(({ pool, tick }) => asked(pool, contracts, names, [tick])),
    block,
  )) as readonly (readonly [bigint, bigint])[]
  const byPool = new Map<Hex, TickRow[]>(pools.map(({ created }) => [created.pool, []]))
  for (const [index, { pool, tick }] of places.entries()) {
    const [gross, net] = values[index] ?? [0n, 0n]
    byPool.get(pool.created.pool)?.push({ tick, gross, net })
  }
  return byPool
}

export type Burned = { readonly amount0: bigint; readonly amount1: bigint }

type Owned = { readonly pool: Replayed; readonly position: Position }

const burnV3 = ({ pool, position }: Owned, contracts: Contracts): Call => {
  const { tickLower, tickUpper, liquidity } = position
  const args = [tickLower, tickUpper, liquidity]
  const isAlgebra = pool.created.venue === contracts.algebraFactory.toLowerCase()
  return asked(pool, contracts, { v3: 'burn', v4: '' }, isAlgebra ? [...args, '0x'] : args)
}

const changeV4 = ({ pool, position }: Owned, liquidityDelta: bigint, router: Address): Call => {
  const { token0: currency0, token1: currency1, fee, tickSpacing, hooks } = pool.created.key
  const { tickLower: lower, tickUpper: upper, salt } = position
  const args = [
    { currency0, currency1, fee, spacing: tickSpacing, hooks },
    { lower, upper, liquidityDelta, salt },
  ]
  return { to: router, abi: routerAbi, functionName: 'changeV4', args }
}

const minus = ([a0, a1]: readonly bigint[], [b0, b1]: readonly bigint[]): Burned => ({
  amount0: (a0 ?? 0n) - (b0 ?? 0n),
  amount1: (a1 ?? 0n) - (b1 ?? 0n),
})

/**
 * What burning all of each position would pay as of the block, principal only. A v4 pool pays the
 * fees along with it: they are what a change of nothing pays.
 */
export const burnAll = async (
  chain: Chain,
  contracts: Contracts,
  pools: readonly Replayed[],
  block: number,
): Promise<ReadonlyMap<Hex, readonly Burned[]>> => {
  const { router } = contracts
  const owned = pools.flatMap((pool) =>
    [...pool.positions.values()].map((position) => ({ pool, position })),
  )
  const strangers = owned.filter(({ position }) => position.owner !== router.toLowerCase())
  if (strangers.length > 0) throw new Error('a position that the router does not own')
  const calls = owned.flatMap((each) =>
    each.pool.created.version === 'v3'
      ? [burnV3(each, contracts)]
      : [changeV4(each, -each.position.liquidity, router), changeV4(each, 0n, router)],
  )
  const paid = (await chain.dryRun(calls, router, block)) as readonly (readonly bigint[])[]
  const byPool = new Map<Hex, Burned[]>(pools.map(({ created }) => [created.pool, []]))
  let next = 0
  for (const { pool } of owned) {
    const all = paid[next++] ?? []
    const fees = pool.created.version === 'v3' ? [] : (paid[next++] ?? [])
    byPool.get(pool.created.pool)?.push(minus(all, fees))
  }
  return byPool
}

/** keccak256(abi.encode(key)), v4-core PoolId. */
export const poolIdOf = ({ token0, token1, fee, tickSpacing, hooks }: Replayed['created']['key']) =>
  keccak256(
    encodeAbiParameters(
      ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type })),
      [token0, token1, fee, tickSpacing, hooks],
    ),
  )

const stockAbi = parseAbi([
  'function uiMultiplier() view returns (uint256)',
  'function newUIMultiplier() view returns (uint256)',
  'function effectiveAt() view returns (uint256)',
  'function oraclePaused() view returns (bool)',
  'function multiplier() view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
])
const stockQuestions = [
  ...(['uiMultiplier', 'newUIMultiplier', 'effectiveAt', 'oraclePaused'] as const),
  ...(['multiplier', 'convertToAssets'] as const),
] as const
const one = 10n ** 18n

/** What a stock token says of itself (ERC-8056, and the issuer's own flag). */
export type ContractStock = {
  readonly multiplier: bigint
  readonly announced: bigint
  readonly effectiveTs: number
  /** Null where the contract has no such flag. */
  readonly oraclePaused: boolean | null
}

export const readStocks = async (
  chain: Chain,
  stocks: readonly Address[],
  block: number,
): Promise<ReadonlyMap<Address, ContractStock>> => {
  const calls = stocks.flatMap((to) =>
    stockQuestions.map((functionName) => ({
      ...{ to, abi: stockAbi, functionName },
      args: functionName === 'convertToAssets' ? [one] : [],
    })),
  )
  const answers = await chain.view(calls, block)
  return new Map(
    stocks.map((address, index) => {
      const [standard, announced, effectiveAt, oraclePaused, alias, assets] = answers.slice(
        index * stockQuestions.length,
      ) as (bigint | null)[]
      // The sandbox's wrapper has 18 decimals, and its asset 8.
      const wrapped = assets == null ? one : assets * 10n ** 10n
      const multiplier = standard ?? alias ?? wrapped
      const effectiveTs = Number(effectiveAt ?? 0n)
      const flag = oraclePaused as unknown as boolean | null
      const stock = { multiplier, announced: announced ?? multiplier, effectiveTs }
      return [address, { ...stock, oraclePaused: flag }]
    }),
  )
}
