import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { keyStruct } from '../../sandbox/world/pool.ts'
import { addressOfVenue, type VenueName } from '../../sandbox/world/venues.ts'
import type { ContractFees } from '../../src/domain/pool/pool-state.ts'
import type { IndexedPool, IndexedSandbox } from './indexed-sandbox.ts'

/** What is asked of a quoter; the fee is the contracts' own business. */
export type Ask = {
  readonly pool: IndexedPool
  readonly zeroForOne: boolean
  readonly exact: 'input' | 'output'
  readonly amount: bigint
  /** V4Quoter takes none. */
  readonly limitX96?: bigint
}

/** The amount of the other side; QuoterV2 also says where the price ends. */
export type QuoterAnswer = {
  readonly amount: bigint
  readonly sqrtPriceX96: bigint | null
  readonly ticksCrossed: number | null
}

const single = 'address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 limit;'
const spaced =
  'address tokenIn; address tokenOut; uint256 amount; int24 tickSpacing; uint160 limit;'
const v3Abi = parseAbi([
  `struct Single { ${single} }`,
  'function quoteExactInputSingle(Single params) returns (uint256, uint160, uint32, uint256)',
  'function quoteExactOutputSingle(Single params) returns (uint256, uint160, uint32, uint256)',
])
const slipstreamAbi = parseAbi([
  `struct Single { ${spaced} }`,
  'function quoteExactInputSingle(Single params) returns (uint256, uint160)',
  'function quoteExactOutputSingle(Single params) returns (uint256, uint160)',
  'function fee() view returns (uint24)',
])
const v4Abi = parseAbi([
  keyStruct,
  'struct Single { Key poolKey; bool zeroForOne; uint128 exactAmount; bytes hookData; }',
  'function quoteExactInputSingle(Single params) returns (uint256, uint256)',
  'function quoteExactOutputSingle(Single params) returns (uint256, uint256)',
])
const ofPair = 'address tokenIn; address tokenOut; address deployer; uint256 amount; uint160 limit;'
const outAndIn = 'uint256 amountOut, uint256 amountIn, uint160, uint32, uint256, uint16'
/** Algebra's QuoterV2 finds a pool by its tokens and, of a custom pool, its deployer. */
const algebraAbi = parseAbi([
  `struct Single { ${ofPair} }`,
  `function quoteExactInputSingle(Single params) returns (${outAndIn})`,
  `function quoteExactOutputSingle(Single params) returns (${outAndIn})`,
])
const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) returns (Result[] results)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
])
const stateViewAbi = parseAbi([
  'function getSlot0(bytes32 id) view returns (uint160, int24, uint24, uint24)',
])

/** The longest walks take some 30 million gas each, and the node allows a billion to a call. */
const asksPerCall = 25

const functionOf = ({ exact }: Ask) =>
  exact === 'input' ? 'quoteExactInputSingle' : 'quoteExactOutputSingle'

const isSlipstream = ({ stored }: IndexedPool): boolean => stored.protocol === 'slipstream'

const isAlgebra = ({ pool }: Ask): boolean => pool.stored.protocol === 'algebra-integral'

const encodeAsk = (ask: Ask): Hex => {
  const { pool, zeroForOne, amount, limitX96 = 0n } = ask
  const functionName = functionOf(ask)
  const { currency0, currency1, ...key } = pool.key
  if (pool.spec.version === 'v4') {
    const params = { poolKey: pool.key, zeroForOne, exactAmount: amount, hookData: '0x' } as const
    return encodeFunctionData({ abi: v4Abi, functionName, args: [params] })
  }
  const [tokenIn, tokenOut] = zeroForOne ? [currency0, currency1] : [currency1, currency0]
  if (isSlipstream(pool)) {
    const params = { tokenIn, tokenOut, amount, tickSpacing: key.tickSpacing, limit: limitX96 }
    return encodeFunctionData({ abi: slipstreamAbi, functionName, args: [params] })
  }
  if (isAlgebra(ask)) {
    const deployer = pool.stored.key.deployer ?? zeroAddress
    const params = { tokenIn, tokenOut, deployer, amount, limit: limitX96 }
    return encodeFunctionData({ abi: algebraAbi, functionName, args: [params] })
  }
  const params = { tokenIn, tokenOut, amount, fee: key.fee, limit: limitX96 }
  return encodeFunctionData({ abi: v3Abi, functionName, args: [params] })
}

const decodeAnswer = (ask: Ask, data: Hex): QuoterAnswer => {
  const functionName = functionOf(ask)
  if (ask.pool.spec.version === 'v4') {
    const [amount] = decodeFunctionResult({ abi: v4Abi, functionName, data })
    return { amount, sqrtPriceX96: null, ticksCrossed: null }
  }
  if (isSlipstream(ask.pool)) {
    const answer = decodeFunctionResult({ abi: slipstreamAbi, functionName, data })
    return { amount: answer[0], sqrtPriceX96: answer[1], ticksCrossed: null }
  }
  if (isAlgebra(ask)) {
    const answer = decodeFunctionResult({ abi: algebraAbi, functionName, data })
    const [amountOut, amountIn, sqrtPriceX96] = answer
    const amount = ask.exact === 'input' ? amountOut : amountIn
    return { amount, sqrtPriceX96, ticksCrossed: null }
  }
  const [amount, sqrtPriceX96, ticksCrossed] = decodeFunctionResult({
    abi: v3Abi,
    functionName,
    data,
  })
  return { amount, sqrtPriceX96, ticksCrossed }
}

const encodeFee = (): Hex => encodeFunctionData({ abi: slipstreamAbi, functionName: 'fee' })

const encodeSlot0 = (id: Hex): Hex =>
  encodeFunctionData({ abi: stateViewAbi, functionName: 'getSlot0', args: [id] })

/** The quoters of the venues, and what else the chain says of a pool, as of a block. */
export const createQuoters = ({ rpc, quoters, manifest }: IndexedSandbox) => {
  const { multicall3, stateView } = manifest.contracts
  const quoterByVenue = new Map(
    (Object.keys(quoters) as VenueName[]).map((name) => [
      addressOfVenue(manifest.contracts, name),
      quoters[name],
    ]),
  )

  const quoterOf = ({ stored: { venue } }: IndexedPool): Hex => {
    const quoter = quoterByVenue.get(venue)
    if (quoter === undefined) throw new Error(`no quoter of ${venue}`)
    return quoter
  }

  const callAt = async (to: Hex, data: Hex, block: number): Promise<Hex> =>
    rpc.call<Hex>('eth_call', { to, data }, numberToHex(block))

  const callAll = async (targets: readonly { target: Hex; callData: Hex }[], block: number) => {
    const calls = targets.map((target) => ({ ...target, allowFailure: true }))
    const encoded = { abi: multicallAbi, functionName: 'aggregate3', args: [calls] } as const
    const data = await callAt(multicall3, encodeFunctionData(encoded), block)
    return decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data })
  }

  return {
    /** Null where the quoter reverts. */
    ask: async (asks: readonly Ask[], block: number): Promise<readonly (QuoterAnswer | null)[]> => {
      const answers: (QuoterAnswer | null)[] = []
      for (let from = 0; from < asks.length; from += asksPerCall) {
        const some = asks.slice(from, from + asksPerCall)
        const targets = some.map((ask) => ({
          target: quoterOf(ask.pool),
          callData: encodeAsk(ask),
        }))
        const results = await callAll(targets, block)
        for (const [index, { success, returnData }] of results.entries()) {
          answers.push(success ? decodeAnswer(some[index] as Ask, returnData) : null)
        }
      }
      return answers
    },
    /** `block.timestamp` of calls as of the block. */
    timeAt: async (block: number): Promise<number> => {
      const functionName = 'getCurrentBlockTimestamp'
      const data = encodeFunctionData({ abi: multicallAbi, functionName })
      return Number(await callAt(multicall3, data, block))
    },
    /** The fees that the contracts hold: in slot0 of v4 pools, `fee()` of Slipstream's. */
    feesAt: async (pools: readonly IndexedPool[], block: number) => {
      const holding = pools.filter((pool) => pool.spec.version === 'v4' || isSlipstream(pool))
      const targets = holding.map((pool) => ({
        target: isSlipstream(pool) ? pool.id : stateView,
        callData: isSlipstream(pool) ? encodeFee() : encodeSlot0(pool.id),
      }))
      const results = await callAll(targets, block)
      return new Map<IndexedPool, ContractFees>(
        results.map(({ returnData: data }, index) => {
          const pool = holding[index] as IndexedPool
          if (isSlipstream(pool)) {
            const lpFee = decodeFunctionResult({ abi: slipstreamAbi, functionName: 'fee', data })
            return [pool, { protocolFee: 0, lpFee }]
          }
          const slot0 = decodeFunctionResult({ abi: stateViewAbi, functionName: 'getSlot0', data })
          const [, , protocolFee, lpFee] = slot0
          return [pool, { protocolFee, lpFee }]
        }),
      )
    },
  }
}

export type Quoters = ReturnType<typeof createQuoters>
