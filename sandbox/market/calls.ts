import { type Abi, type Address, encodeFunctionData, parseAbi, toHex } from 'viem'
import type { Call } from '../chain/sender.ts'
import { isCustom, keyStruct, type Pool, type Position } from '../world/pool.ts'
import { addressOfVenue } from '../world/venues.ts'
import type { World } from '../world/world.ts'

/** What calls need of the world: by whose contracts they go. */
export type CallWorld = Pick<World, 'contracts'>

const aimStruct = [
  'struct Aim {',
  'uint160 target; uint256 toleranceBps; uint256 amount0Max; uint256 amount1Max;',
  'address recipient;',
  '}',
].join(' ')

/** Functions of contracts/TradeRouter.sol. */
const routerAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'struct Trade { bool zeroForOne; int256 amount; uint160 limit; address recipient; }',
  aimStruct,
  keyStruct,
  'struct Change { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }',
  'function execute(Call[] calls) payable',
  'function tradeV3(address pool, Trade trade)',
  'function tradeV4(Key key, Trade trade)',
  'function aimV3(address pool, Aim aim)',
  'function aimV4(Key key, Aim aim)',
  'function addV3(address pool, int24 lower, int24 upper, uint128 liquidity)',
  'function changeV4(Key key, Change change)',
  'function trimV3(address pool, int24 lower, int24 upper, uint256 bps)',
  'function trimV4(Key key, int24 lower, int24 upper, bytes32 salt, uint256 bps)',
])

const poolAbi = parseAbi([
  'function createPool(address a, address b, uint24 fee)',
  'function initialize(uint160 sqrtPriceX96)',
])

const slipstreamAbi = parseAbi([
  'function createPool(address a, address b, int24 tickSpacing, uint160 sqrtPriceX96)',
])

const algebraAbi = parseAbi(['function createPool(address a, address b, bytes data)'])

const managerAbi = parseAbi([keyStruct, 'function initialize(Key key, uint160 sqrtPriceX96)'])

export type Trade = {
  readonly zeroForOne: boolean
  /** Negative = exact input, positive = exact output, as in v4. */
  readonly amount: bigint
  readonly limit: bigint
  readonly recipient: Address
}

export type Aim = {
  /** The square root of the price to reach, Q64.96. */
  readonly target: bigint
  readonly toleranceBps: bigint
  readonly amount0Max: bigint
  readonly amount1Max: bigint
  readonly recipient: Address
}

export const encodeCall = (
  target: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Call => ({ target, value: 0n, data: encodeFunctionData({ abi, functionName, args }) })

/** Bundles calls in one transaction; a failing call does not revert the others. */
export const bundleCalls = (world: CallWorld, calls: readonly Call[]): Call =>
  encodeCall(world.contracts.router, routerAbi, 'execute', [calls])

const router = (world: CallWorld, functionName: string, args: readonly unknown[]): Call =>
  encodeCall(world.contracts.router, routerAbi, functionName, args)

/** What a trade needs of a pool. */
export type TradedPool = Pick<Pool, 'id' | 'key'> & {
  readonly spec: Pick<Pool['spec'], 'version'>
}

/** Whose position of the router it is. */
type PositionKey = Pick<Position, 'tickLower' | 'tickUpper' | 'salt'>

export const createTrade = (world: CallWorld, pool: TradedPool, order: Trade): Call =>
  pool.spec.version === 'v3'
    ? router(world, 'tradeV3', [pool.id, order])
    : router(world, 'tradeV4', [pool.key, order])

export const aimAtPrice = (world: CallWorld, pool: Pool, goal: Aim): Call =>
  pool.spec.version === 'v3'
    ? router(world, 'aimV3', [pool.id, goal])
    : router(world, 'aimV4', [pool.key, goal])

export function addLiquidity(
  world: CallWorld,
  pool: TradedPool,
  at: PositionKey,
  liquidity: bigint,
): Call {
  const { tickLower, tickUpper, salt } = at
  return pool.spec.version === 'v3'
    ? router(world, 'addV3', [pool.id, tickLower, tickUpper, liquidity])
    : router(world, 'changeV4', [
        pool.key,
        { ...at, tickLower, tickUpper, salt, liquidityDelta: liquidity },
      ])
}

export function trimLiquidity(
  world: CallWorld,
  pool: TradedPool,
  at: PositionKey,
  bps: bigint,
): Call {
  const { tickLower, tickUpper, salt } = at
  return pool.spec.version === 'v3'
    ? router(world, 'trimV3', [pool.id, tickLower, tickUpper, bps])
    : router(world, 'trimV4', [pool.key, tickLower, tickUpper, salt, bps])
}

/** Creates a pool and, unless `sqrtPriceX96` is null, sets its first price. */
export function openPool(world: CallWorld, pool: Pool, sqrtPriceX96: bigint | null): Call[] {
  const venue = addressOfVenue(world.contracts, pool.spec.venue)
  const { key } = pool
  if (pool.spec.version === 'v4') {
    return [encodeCall(venue, managerAbi, 'initialize', [key, sqrtPriceX96])]
  }
  const { currency0, currency1, tickSpacing } = key
  if (pool.spec.venue === 'Slipstream') {
    const args = [currency0, currency1, tickSpacing, sqrtPriceX96]
    return [encodeCall(venue, slipstreamAbi, 'createPool', args)]
  }
  const creator = isCustom(pool.spec) ? world.contracts.algebraCustomPools : venue
  const tokens = [key.currency0, key.currency1]
  const create =
    pool.spec.venue === 'Algebra Integral'
      ? encodeCall(creator, algebraAbi, 'createPool', [...tokens, '0x'])
      : encodeCall(venue, poolAbi, 'createPool', [...tokens, key.fee])
  if (sqrtPriceX96 === null) return [create]
  return [create, encodeCall(pool.id, poolAbi, 'initialize', [sqrtPriceX96])]
}

export const positionSalt = (index: number) => toHex(index, { size: 32 })
