import { decodeEventLog, type Hex, parseAbi } from 'viem'
import { bundleCalls, createTrade } from '../../sandbox/market/calls.ts'
import type { Random } from '../../sandbox/random.ts'
import { simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import { drawLimited } from './drawn-asks.ts'
import type { SwapFee } from './fees.ts'
import type { IndexedPool, IndexedSandbox } from './indexed-sandbox.ts'
import type { Receipt } from './quiet-sandbox.ts'
import type { Ask } from './quoters.ts'

/** One swap, as its log and our simulation have it: amounts of the pool, price, liquidity, tick. */
export type PlayedTrade = {
  readonly version: 'v3' | 'v4'
  readonly mined: string
  readonly simulated: string
  readonly isFilled: boolean
}

type LimitedAsk = Ask & { readonly limitX96: bigint }
type DrawnTrades = { readonly pool: IndexedPool; readonly asks: readonly LimitedAsk[] }

const moved = 'int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick'
/** What the protocol takes of the fee in PancakeSwap v3. */
const shares = 'uint128 share0, uint128 share1'
const movedV4 = moved.replaceAll('int256', 'int128')

const swapAbi = {
  v3: parseAbi([
    `event Swap(address indexed sender, address indexed recipient, ${moved})`,
    `event Swap(address indexed sender, address indexed recipient, ${moved}, ${shares})`,
  ]),
  v4: parseAbi([`event Swap(bytes32 indexed id, address indexed sender, ${movedV4}, uint24 fee)`]),
}
const callFailedAbi = parseAbi(['event CallFailed(uint256 index, bytes reason)'])

/** Only to draw amounts that end near their limits. */
const nominalFee = 3000

/** Swaps one after the other, each drawn where the one before it about ended. */
export const drawTrades = (random: Random, pool: IndexedPool, count: number): DrawnTrades => {
  let now = pool
  const asks = Array.from({ length: count }, () => {
    const [ask] = drawLimited(random, now, { fee: () => nominalFee, count: 1, isNear: true })
    if (ask === undefined) return []
    const { price, liquidity } = simulateSwap(now, { ...ask, fee: nominalFee })
    now = { ...now, price, liquidity }
    return [{ ...ask, pool }]
  })
  return { pool, asks: asks.flat() }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

type Moved = {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly fee?: number
}

const textOf = ({ amount0, amount1, sqrtPriceX96, tick, liquidity, fee = 0 }: Moved): string =>
  [magnitude(amount0), magnitude(amount1), sqrtPriceX96, tick, liquidity, fee].join(' ')

/** The swaps and failures of a receipt, in order. */
const minedOf = ({ logs }: Receipt, version: 'v3' | 'v4'): readonly string[] =>
  logs.flatMap(({ topics, data }) => {
    const abi = [...swapAbi[version], ...callFailedAbi]
    try {
      const event = decodeEventLog({ abi, topics, data })
      return [event.eventName === 'Swap' ? textOf(event.args as Moved) : `failed ${data}`]
    } catch {
      return []
    }
  })

const simulatedOf = ({ pool, asks }: DrawnTrades, fee: SwapFee) => {
  let now = pool
  return asks.flatMap((ask) => {
    const { zeroForOne, limitX96 } = ask
    // TradeRouter.hasRoom
    const { sqrtPriceX96 } = now.price
    if (zeroForOne ? sqrtPriceX96 <= limitX96 : sqrtPriceX96 >= limitX96) return []
    const swap = simulateSwap(now, { ...ask, fee: fee(zeroForOne) })
    const { price, liquidity, filled, amountIn, amountOut } = swap
    now = { ...now, price, liquidity }
    const [amount0, amount1] = zeroForOne ? [amountIn, amountOut] : [amountOut, amountIn]
    const ofV4 = pool.spec.version === 'v4' ? { fee: fee(zeroForOne) } : {}
    return [{ filled, text: textOf({ amount0, amount1, ...price, liquidity, ...ofV4 }) }]
  })
}

/** Mines the swaps, a transaction for each pool. */
export const playTrades = async (
  { transact, manifest }: IndexedSandbox,
  drawn: readonly DrawnTrades[],
  feesAt: (block: number) => Promise<ReadonlyMap<IndexedPool, SwapFee>>,
): Promise<readonly PlayedTrade[]> => {
  const calls = drawn.map(({ asks }) =>
    bundleCalls(
      manifest,
      asks.map(({ pool, zeroForOne, exact, amount, limitX96: limit }) => {
        const order = { zeroForOne, amount: exact === 'input' ? -amount : amount, limit }
        return createTrade(manifest, pool, { ...order, recipient: manifest.contracts.router })
      }),
    ),
  )
  const receipts = await transact(calls)
  // The sandbox's own next block may take some of them.
  const feesOf = new Map<Hex, ReadonlyMap<IndexedPool, SwapFee>>()
  for (const { blockNumber } of receipts) {
    if (!feesOf.has(blockNumber)) feesOf.set(blockNumber, await feesAt(Number(blockNumber)))
  }
  return drawn.flatMap((trades, index) => {
    const { pool } = trades
    const { version } = pool.spec
    const receipt = receipts[index] as Receipt
    const mined = minedOf(receipt, version)
    const fee = feesOf.get(receipt.blockNumber)?.get(pool)
    const simulated = simulatedOf(trades, fee ?? (() => Number.NaN))
    const count = Math.max(mined.length, simulated.length)
    return Array.from({ length: count }, (_, at): PlayedTrade => {
      const { text = 'none', filled = false } = simulated[at] ?? {}
      return {
        version,
        isFilled: filled,
        mined: `${pool.id} ${mined[at] ?? 'none'}`,
        simulated: `${pool.id} ${text}`,
      }
    })
  })
}
