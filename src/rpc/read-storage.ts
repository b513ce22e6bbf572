import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import { requestEach } from './batch-request.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { readHash } from './hex.ts'
import type { NodeAnswer } from './json-rpc.ts'
import { mapChunks } from './map-concurrent.ts'

const wordsPerRequestMax = 100
const inFlightMax = 4
/** A word is 66 characters, in an envelope of about as many. */
const bytesMax = 1024 * 1024

/** Some nodes leave out the leading zeros. */
const readWord = (answer: NodeAnswer): Outcome<Hash, RpcCallFault> => {
  if (!answer.ok) return answer
  const { value } = answer
  const digits = typeof value === 'string' ? /^0x([0-9a-f]{1,64})$/i.exec(value)?.[1] : undefined
  const word = digits === undefined ? null : readHash(`0x${digits.padStart(64, '0')}`)
  return word === null ? malformed('no storage word') : success(word)
}

/** What one contract's slot can not tell is null; a node that tells of none is at fault. */
const readPiece = async (
  endpoints: EndpointPool,
  addresses: readonly Address[],
  slot: Hash,
): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> => {
  const answers = await requestEach(endpoints, {
    items: addresses,
    callOf: (address) => ({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] }),
    read: readWord,
    block: null,
    bytesMax,
  })
  if (!answers.ok) return answers
  const [first] = answers.value
  const isTold = answers.value.some(({ ok }) => ok)
  if (first?.ok === false && !isTold) return first
  return success(answers.value.map((answer) => (answer.ok ? answer.value : null)))
}

/** The same slot of several contracts, in their order. */
export const readStorage = (
  endpoints: EndpointPool,
  addresses: readonly Address[],
  slot: Hash,
): Promise<Outcome<readonly (Hash | null)[], RpcCallFault>> =>
  mapChunks(addresses, { sizeMax: wordsPerRequestMax, inFlightMax }, (some) =>
    readPiece(endpoints, some, slot),
  )
