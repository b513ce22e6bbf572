import { type Outcome, success } from '../domain/outcome.ts'
import type { Address } from '../domain/units.ts'
import { isRecord, readAddress } from '../net/json.ts'
import type { MinedTransaction } from '../ports/chain-reader.ts'
import { requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { readHash, readQuantity } from './hex.ts'
import type { RpcResponse } from './json-rpc.ts'

/** A hundred transactions with 80 KB of call data each; more are split. */
const bytesMax = 16 * 1024 * 1024

/** Null: unknown to the node, or in another block, as after a reorg. */
const readSender = (
  answer: RpcResponse,
  { txHash, block }: MinedTransaction,
): Outcome<Address | null, RpcCallFault> => {
  if (!answer.ok) return answer
  const { value } = answer
  if (value === null) return success(null)
  const from = isRecord(value) ? readAddress(value.from) : null
  if (!isRecord(value) || from === null || readHash(value.hash) !== txHash) {
    return malformed('eth_getTransactionByHash returned no such transaction')
  }
  return success(readQuantity(value.blockNumber) === block ? from : null)
}

/** Reads senders in the order of the transactions. A refused one is null; if all are, a fault. */
export const readSenders = async (
  endpoints: EndpointPool,
  transactions: readonly MinedTransaction[],
): Promise<Outcome<readonly (Address | null)[], RpcCallFault>> => {
  const answers = await requestEach(endpoints, {
    items: transactions,
    callOf: ({ txHash }) => ({ method: 'eth_getTransactionByHash', params: [txHash] }),
    read: readSender,
    block: Math.max(0, ...transactions.map(({ block }) => block)),
    bytesMax,
  })
  if (!answers.ok) return answers
  const [first] = answers.value
  if (first?.ok === false && answers.value.every(({ ok }) => !ok)) return first
  return success(answers.value.map((answer) => (answer.ok ? answer.value : null)))
}
