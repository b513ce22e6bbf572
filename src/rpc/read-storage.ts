import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import { mapChunks, requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { readHash, toQuantity } from './hex.ts'
import type { RpcResponse } from './json-rpc.ts'

const inFlightMax = 4
const wordsPerRequestMax = 100
/** A word is 66 characters, in an envelope of about as many. */
const bytesMax = 1024 * 1024

/** Some nodes omit leading zeros. */
const readWord = (answer: RpcResponse): Outcome<Hash, RpcCallFault> => {
  if (!answer.ok) return answer
  const { value } = answer
  const digits = typeof value === 'string' ? /^0x([0-9a-f]{1,64})$/i.exec(value)?.[1] : undefined
  const word = digits === undefined ? null : readHash(`0x${digits.padStart(64, '0')}`)
  return word === null ? malformed('eth_getStorageAt returned no word') : success(word)
}

/** A refused read of one contract is null; if all are, the node is at fault. */
const readWords = async (
  endpoints: EndpointPool,
  addresses: readonly Address[],
  { slot, at }: { readonly slot: Hash; readonly at: BlockRef },
): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> => {
  const tag = toQuantity(at.block)
  const answers = await requestEach(endpoints, {
    items: addresses,
    callOf: (address) => ({ method: 'eth_getStorageAt', params: [address, slot, tag] }),
    read: readWord,
    block: null,
    branch: at,
    bytesMax,
  })
  if (!answers.ok) return answers
  const [first] = answers.value
  if (first?.ok === false && answers.value.every(({ ok }) => !ok)) return first
  return success(answers.value.map((answer) => (answer.ok ? answer.value : null)))
}

const zeroWord: Hash = `0x${'0'.repeat(64)}`

/** A node without the contract's state returns zeros. */
export const isSetWord = (word: Hash | null): boolean => word !== null && word !== zeroWord

/** Reads the same storage slot of several contracts after this block, in their order. */
export const createStorageRead =
  (endpoints: EndpointPool, slot: Hash) =>
  (
    addresses: readonly Address[],
    at: BlockRef,
  ): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> =>
    mapChunks(addresses, { sizeMax: wordsPerRequestMax, inFlightMax }, (part) =>
      readWords(endpoints, part, { slot, at }),
    )
