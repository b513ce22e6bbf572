import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem'
import type { Rpc } from '../../sandbox/chain/rpc.ts'
import type { Pool } from '../../sandbox/world/pool.ts'
import { requestNumber, toNumbered } from '../api/load.ts'

/** IQuoterV2 of v3-periphery. */
const single = 'address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 limit;'
const abi = parseAbi([
  `struct Single { ${single} }`,
  'function quoteExactInputSingle(Single params) returns (uint256, uint160, uint32, uint256)',
  'function quoteExactOutputSingle(Single params) returns (uint256, uint160, uint32, uint256)',
])

export type BuyOrder = { readonly exact: 'input' | 'output'; readonly amount: bigint }

const functionOf = (exact: BuyOrder['exact']) =>
  exact === 'input' ? 'quoteExactInputSingle' : 'quoteExactOutputSingle'

/** Asks a deployed QuoterV2 what a buyer of a pool's token0 pays or receives. */
export const createQuoterCalls = (rpc: Rpc, quoter: Address, { key }: Pick<Pool, 'key'>) => {
  const dataOf = ({ exact, amount }: BuyOrder): Hex => {
    const { currency0: tokenOut, currency1: tokenIn, fee } = key
    const params = { tokenIn, tokenOut, amount, fee, limit: 0n }
    return encodeFunctionData({ abi, functionName: functionOf(exact), args: [params] })
  }
  return {
    /** The amount of the other token, and the price afterwards. */
    ask: async (order: BuyOrder): Promise<{ amount: bigint; sqrtPriceX96: bigint }> => {
      const data = await rpc.call<Hex>('eth_call', { to: quoter, data: dataOf(order) }, 'latest')
      const functionName = functionOf(order.exact)
      const [amount, sqrtPriceX96] = decodeFunctionResult({ abi, functionName, data })
      return { amount, sqrtPriceX96 }
    },
    /** Requests about such an amount of input, each of another one; throws if one would fail. */
    createRequests: async (amount: bigint) => {
      const word = (value: bigint): string => numberToHex(value, { size: 32 }).slice(2)
      // Nine digits are read as hexadecimal here.
      const numbered = `${word(amount).slice(0, -9)}${requestNumber}`
      const data = dataOf({ exact: 'input', amount }).replace(word(amount), numbered)
      const params = [{ to: quoter, data }, 'latest']
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
      const example = JSON.parse(toNumbered(body)) as { readonly params: typeof params }
      await rpc.call('eth_call', ...example.params)
      return {
        method: 'POST' as const,
        path: '/',
        headers: { 'content-type': 'application/json' },
        body,
      }
    },
  }
}

export type QuoterCalls = ReturnType<typeof createQuoterCalls>
