import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  keccak256,
  parseAbiItem,
} from 'viem'
import { computePoolAddress, computePoolId } from '../../../src/domain/dex/pool-id.ts'
import { isDynamicFee } from '../../../src/domain/dex/uniswap-v4/hook-flags.ts'
import { sqrtPriceAtTick, tickAtSqrtPrice } from '../../../src/domain/math/tick-math.ts'
import { depthOf } from '../../../src/domain/pool/pool-depth.ts'
import type { PoolKey, PoolPrice, PoolVersion } from '../../../src/domain/pool/pool-event.ts'
import type { ContractFees, RawAmounts } from '../../../src/domain/pool/pool-state.ts'
import { buildTickMap, type TickMap } from '../../../src/domain/pool/tick-map.ts'
import { reservesFromTickMap } from '../../../src/domain/pool/tick-map-reserves.ts'
import type { Address, Hash, Hex, PoolId } from '../../../src/domain/units.ts'
import type { RawLog } from './sample-chain.ts'
import { uniswapV3Fixture } from './uniswap-v3-fixture.ts'
import { uniswapV4Fixture } from './uniswap-v4-fixture.ts'

const repeated = (digit: string): Address => `0x${digit.repeat(40)}`

export const factory = repeated('f')
export const manager = repeated('e')
export const sender = repeated('9')
/** keccak256 of UniswapV3Pool's creation code. */
export const initCodeHash: Hash =
  '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

const hashes = new Map<string, Hex>()

/** Simulations hash the same keys thousands of times. */
export const keccak = (bytes: Uint8Array): Hex => {
  const key = Buffer.from(bytes).toString('latin1')
  const hash = hashes.get(key) ?? keccak256(bytes)
  hashes.set(key, hash)
  return hash
}

const events = new Map<string, AbiEvent>()

const eventOf = (declaration: string): AbiEvent => {
  const event = events.get(declaration) ?? (parseAbiItem([declaration]) as unknown as AbiEvent)
  events.set(declaration, event)
  return event
}

/** The log of an event by its Solidity declaration, encoded by a general encoder. */
export const logOf = (
  address: Address,
  declaration: string,
  args: Readonly<Record<string, unknown>>,
): RawLog => {
  const event = eventOf(declaration)
  const plain = event.inputs.filter((input) => !input.indexed)
  return {
    address,
    topics: encodeEventTopics({ abi: [event], args }) as Hash[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    ),
  }
}

const declarationOf = (name: string, version: PoolVersion): string => {
  const fixture = version === 'v3' ? uniswapV3Fixture : uniswapV4Fixture
  const found = fixture.declarations.find((each) => each.startsWith(`event ${name}(`))
  if (found === undefined) throw new Error(`${version} has no event ${name}`)
  return found
}

export const v3SwapDeclaration = declarationOf('Swap', 'v3')

const noHooks: Address = repeated('0')

export type SampleKey = Omit<PoolKey, 'hooks'> & { readonly hooks?: Address }

type Range = { readonly tickLower: number; readonly tickUpper: number }

type Position = Range & { readonly liquidity: bigint }

/** What a pool has become: enough for another one to live on from there. */
export type SamplePoolOptions = {
  readonly price: PoolPrice
  readonly positions: readonly Position[]
  /** Of v4. */
  readonly fees: ContractFees
}

const unborn: Omit<SamplePoolOptions, 'fees'> = {
  price: { sqrtPriceX96: 0n, tick: 0 },
  positions: [],
}

/** The positions of a pool, recounted from scratch each time: slow, and obviously right. */
const createPositions = (before: readonly Position[]) => {
  const positions = [...before]
  const rows = () =>
    [...new Set(positions.flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper]))].map(
      (tick) => {
        const begin = positions.filter((each) => each.tickLower === tick)
        const end = positions.filter((each) => each.tickUpper === tick)
        const sum = (some: typeof positions) => some.reduce((all, each) => all + each.liquidity, 0n)
        return { tick, net: sum(begin) - sum(end), gross: sum(begin) + sum(end) }
      },
    )
  return {
    all: (): readonly Position[] => [...positions],
    add: (range: Range, liquidity: bigint) => positions.push({ ...range, liquidity }),
    rows: () => rows().filter((row) => row.gross !== 0n),
    activeAt: (tick: number): bigint =>
      positions
        .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
        .reduce((all, each) => all + each.liquidity, 0n),
    map: (): TickMap => {
      const map = buildTickMap(rows())
      if (!map.known) throw new Error(map.reason)
      return map.value
    },
  }
}

/** How the contracts write down what happened, in either version. */
const writerOf = (version: PoolVersion, id: PoolId, key: PoolKey) => {
  const emitter = version === 'v3' ? id : manager
  const write = (name: string, args: Readonly<Record<string, unknown>>): RawLog =>
    logOf(emitter, declarationOf(name, version), { ...args, id, sender })
  return {
    creation: (price: PoolPrice): readonly RawLog[] => {
      const { token0, token1 } = key
      if (version === 'v4') {
        return [write('Initialize', { ...key, currency0: token0, currency1: token1, ...price })]
      }
      const created = declarationOf('PoolCreated', 'v3')
      return [logOf(factory, created, { ...key, pool: id }), write('Initialize', price)]
    },
    liquidity: (range: Range, delta: bigint): RawLog => {
      if (version === 'v4') {
        const salt = `0x${'0'.repeat(64)}`
        return write('ModifyLiquidity', { ...range, liquidityDelta: delta, salt })
      }
      const amounts = { owner: sender, amount0: 1n, amount1: 1n }
      return delta < 0n
        ? write('Burn', { ...range, ...amounts, amount: -delta })
        : write('Mint', { ...range, ...amounts, amount: delta })
    },
    protocolFee: (protocolFee: number): RawLog => write('ProtocolFeeUpdated', { protocolFee }),
    swap: (pool: RawAmounts, state: PoolPrice & { readonly liquidity: bigint }): RawLog =>
      version === 'v3'
        ? write('Swap', { ...pool, ...state, recipient: sender })
        : // A v4 event is written from the swapper's side.
          write('Swap', {
            ...state,
            amount0: -pool.amount0,
            amount1: -pool.amount1,
            fee: key.fee,
          }),
  }
}

const idOf = (version: PoolVersion, key: PoolKey): PoolId =>
  version === 'v3'
    ? computePoolAddress({ ...key, deployer: factory, initCodeHash }, keccak)
    : computePoolId(key, keccak)

/** A pool that behaves as the contracts do, without fees, and emits what they would. */
export const createSamplePool = (
  emit: (log: RawLog) => void,
  version: PoolVersion,
  { hooks, ...rest }: SampleKey,
  before: Omit<SamplePoolOptions, 'fees'> & Partial<SamplePoolOptions> = unborn,
) => {
  const key: PoolKey = { ...rest, hooks: version === 'v3' ? null : (hooks ?? noHooks) }
  const id = idOf(version, key)
  const positions = createPositions(before.positions)
  const write = writerOf(version, id, key)
  let { price } = before
  let fees = before.fees ?? { lpFee: isDynamicFee(key.fee) ? 0 : key.fee, protocolFee: 0 }

  const change = (tickLower: number, tickUpper: number, delta: bigint): void => {
    positions.add({ tickLower, tickUpper }, delta)
    emit(write.liquidity({ tickLower, tickUpper }, delta))
  }

  /** Downwards onto a tick that holds positions, the contracts end below it. */
  const tickAfter = (sqrtPriceX96: bigint): number => {
    const tick = tickAtSqrtPrice(sqrtPriceX96)
    const isDown = sqrtPriceX96 < price.sqrtPriceX96
    const isOnTick = sqrtPriceAtTick(tick) === sqrtPriceX96
    const isCrossed = isDown && isOnTick && positions.rows().some((row) => row.tick === tick)
    return isCrossed ? tick - 1 : tick
  }

  const swapTo = (sqrtPriceX96: bigint): RawAmounts => {
    const before = reservesFromTickMap(positions.map(), price.sqrtPriceX96)
    price = { sqrtPriceX96, tick: tickAfter(sqrtPriceX96) }
    const after = reservesFromTickMap(positions.map(), sqrtPriceX96)
    const amounts = {
      amount0: after.amount0 - before.amount0,
      amount1: after.amount1 - before.amount1,
    }
    emit(write.swap(amounts, { ...price, liquidity: positions.activeAt(price.tick) }))
    return amounts
  }

  return {
    id,
    key,
    create: (sqrtPriceX96: bigint): void => {
      price = { sqrtPriceX96, tick: tickAtSqrtPrice(sqrtPriceX96) }
      for (const log of write.creation(price)) emit(log)
    },
    mint: change,
    burn: (tickLower: number, tickUpper: number, liquidity: bigint): void =>
      change(tickLower, tickUpper, -liquidity),
    /** Trades until the price is this one; answers what the pool received. */
    swapTo,
    /** A swap event that says whatever the test wants. */
    emitSwap: (amounts: RawAmounts, state: PoolPrice & { readonly liquidity: bigint }): void =>
      emit(write.swap(amounts, state)),
    /** As the controller of a v4 PoolManager does; a v3 pool has none. */
    setProtocolFee: (protocolFee: number): void => {
      if (version === 'v3') return
      fees = { ...fees, protocolFee }
      emit(write.protocolFee(protocolFee))
    },
    /** As a hook sets a dynamic fee: without an event. */
    setDynamicFee: (lpFee: number): void => {
      fees = { ...fees, lpFee }
    },
    /** Null in v3. */
    fees: (): ContractFees | null => (version === 'v3' ? null : fees),
    life: (): SamplePoolOptions => ({ price, positions: positions.all(), fees }),
    price: () => price,
    liquidity: () => positions.activeAt(price.tick),
    reserves: () => reservesFromTickMap(positions.map(), price.sqrtPriceX96),
    depth: () => depthOf(positions.map(), price.sqrtPriceX96),
    rows: () => positions.rows(),
  }
}

export type SamplePool = ReturnType<typeof createSamplePool>
