import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hex } from '../domain/units.ts'
import type { ContractCall } from '../ports/chain.ts'

/** Multicall3's aggregate3(Call3[]) (github.com/mds1/multicall3, src/Multicall3.sol). */
const abi = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [
      {
        name: 'returnData',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
] as const

export const encodeAggregate = (calls: readonly ContractCall[]): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  })

export type AggregateResult = { readonly success: boolean; readonly returnData: Hex }

/** Reads what `encodeAggregate` of so many calls returned. */
export const decodeAggregate = (
  data: Hex,
  count: number,
): Outcome<readonly AggregateResult[], 'malformed'> => {
  let results: readonly AggregateResult[]
  try {
    results = decodeFunctionResult({ abi, functionName: 'aggregate3', data })
  } catch {
    // viem throws on bytes of another form, which here are a node's and not a bug.
    return failure('malformed')
  }
  return results.length === count ? success(results) : failure('malformed')
}
