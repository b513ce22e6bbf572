import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import type { Address, Hex } from '../../../src/domain/units.ts'
import type { RpcCall } from '../../../src/rpc/json-rpc.ts'
import type { FakeAnswer } from './fake-node.ts'

export const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])

/** What a contract does with a call: how much gas it takes, and what it returns. */
export type Behaviour = { readonly gas?: number; readonly returns: Hex | 'revert' }

export type BehaviourOf = (address: Address, data: Hex) => Behaviour | undefined

type Outcome = { readonly gas: number; readonly success: boolean; readonly data: Hex }

const run = (behaviour: Behaviour | undefined, gasLeft: number): Outcome => {
  const { gas = 30_000, returns } = behaviour ?? { gas: 2600, returns: '0x' }
  // EIP-150: a call gets 63 of 64 parts of what is left.
  const given = Math.floor((gasLeft * 63) / 64)
  if (gas > given) return { gas: given, success: false, data: '0x' }
  return returns === 'revert'
    ? { gas, success: false, data: '0x' }
    : { gas, success: true, data: returns }
}

const error = (message: string): FakeAnswer => ({ error: { code: -32000, message } })

const aggregate = (data: Hex, gasLimit: number, behaviourOf: BehaviourOf): FakeAnswer => {
  const [calls] = decodeFunctionData({ abi, data }).args
  let gasLeft = gasLimit
  const results = calls.map(({ target, callData }) => {
    const outcome = run(behaviourOf(target.toLowerCase() as Address, callData), gasLeft)
    // Copying return data costs gas again.
    gasLeft -= outcome.gas + (outcome.data.length / 2) * 3
    return { success: outcome.success, returnData: outcome.data }
  })
  if (gasLeft < 0) return error('out of gas')
  return { result: encodeFunctionResult({ abi, functionName: 'aggregate3', result: results }) }
}

/** Answers `eth_call` for contracts whose behaviour the test invents, Multicall3 among them. */
export const answerCalls =
  (behaviourOf: BehaviourOf, aggregates = true) =>
  ({ method, params }: RpcCall): FakeAnswer | undefined => {
    if (method !== 'eth_call') return undefined
    const { to, data, gas } = params[0] as { to: Address; data: Hex; gas: Hex }
    if (to === multicall3 && aggregates) return aggregate(data, Number(gas), behaviourOf)
    const outcome = run(behaviourOf(to, data), Number(gas))
    if (outcome.success) return { result: outcome.data }
    return error(outcome.gas > 100_000 ? 'out of gas' : 'execution reverted: rate limit exceeded')
  }
