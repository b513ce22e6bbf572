import { RLP } from '@ethereumjs/rlp'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { Address, Hash, Hex } from '../../domain/units.ts'
import { isRecord, type JsonRecord, readAddress, readLowercase } from '../../net/json.ts'
import { malformedEvidence, mismatch, type ProofFault, unsupported } from '../proof-fault.ts'
import { bloomOf } from './bloom.ts'
import { readField, toBytes, toHex } from './bytes.ts'

/** The part of a log that a receipt proves. */
export type ReceiptLog = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
}

export type EncodedReceipt = { readonly bytes: Uint8Array; readonly logs: readonly ReceiptLog[] }

const legacyType = 0x00
const depositType = 0x7e

/**
 * Types whose consensus encoding is the type and `rlp([status, cumulativeGasUsed, bloom, logs])`.
 *
 * - 0x01 to 0x04: EIP-2930, EIP-1559, EIP-4844, EIP-7702.
 * - 0x64 (deposit), 0x65 (unsigned), 0x66 (contract), 0x68 (retry), 0x69 (submit retryable), 0x6a
 *   (internal) of Arbitrum Nitro: `Receipts.EncodeIndex` in core/types/receipt.go of
 *   OffchainLabs/go-ethereum @ 49b38a63. `gasUsedForL1` is not part of it. How the receipts of 0x78
 *   (before Nitro) were hashed is not published, so it is not supported.
 */
const plainTypes: readonly number[] = [0x01, 0x02, 0x03, 0x04, 0x64, 0x65, 0x66, 0x68, 0x69, 0x6a]

/** Nodes omit the type of blocks before EIP-2718. */
const readType = (value: unknown): number | null => {
  if (value === undefined || value === null) return legacyType
  return typeof value === 'string' && /^0x[0-9a-f]{1,2}$/i.test(value) ? Number(value) : null
}

/** Success or failure (EIP-658); before Byzantium, the state root after the transaction. */
const readStatus = (raw: JsonRecord): Uint8Array | null => {
  const hasStatus = raw.status !== undefined && raw.status !== null
  if (!hasStatus) return readField(raw.root, 32)
  const status = readField(raw.status, 'quantity')
  const isStatus = status?.length === 0 || (status?.length === 1 && status[0] === 1)
  return isStatus ? status : null
}

const topicsMax = 4
const topicPattern = /^0x[0-9a-f]{64}$/
const dataPattern = /^0x(?:[0-9a-f]{2})*$/

const readLog = (raw: unknown): ReceiptLog | null => {
  if (!isRecord(raw) || !Array.isArray(raw.topics) || raw.topics.length > topicsMax) return null
  const address = readAddress(raw.address)
  const read = raw.topics.map((topic) => readLowercase(topic, topicPattern))
  const topics = read.filter((topic) => topic !== null)
  const data = readLowercase(raw.data, dataPattern)
  if (address === null || data === null || topics.length !== read.length) return null
  return { address, topics, data }
}

const readLogs = (value: unknown): readonly ReceiptLog[] | null => {
  if (!Array.isArray(value)) return null
  const logs = value.map(readLog)
  const complete = logs.filter((log) => log !== null)
  return complete.length === logs.length ? complete : null
}

type Item = Uint8Array | readonly Item[]

const itemOf = ({ address, topics, data }: ReceiptLog): Item => [
  toBytes(address),
  topics.map(toBytes),
  toBytes(data),
]

/**
 * The last items of an OP-stack deposit. From Canyon on (`depositReceiptVersion`) the deposit's
 * nonce is hashed too; before, nodes report it but Regolith left it out of the hash by mistake
 * (`Receipts.EncodeIndex` in core/types/receipt.go of ethereum-optimism/op-geth @ 7b56c731).
 */
const depositItems = (raw: JsonRecord, at: string): Outcome<readonly Item[], ProofFault> => {
  const { depositNonce, depositReceiptVersion } = raw
  if (depositReceiptVersion === undefined || depositReceiptVersion === null) return success([])
  const nonce = readField(depositNonce, 'quantity')
  const version = readField(depositReceiptVersion, 'quantity')
  if (nonce === null || version === null) {
    return malformedEvidence(`${at} has a malformed depositNonce or depositReceiptVersion`)
  }
  return success([nonce, version])
}

const withType = (type: number, items: readonly Item[]): Uint8Array => {
  const list = RLP.encode(items as Parameters<typeof RLP.encode>[0])
  return type === legacyType ? list : Uint8Array.from([type, ...list])
}

const lastItems = (raw: JsonRecord, type: number, at: string) => {
  if (type === depositType) return depositItems(raw, at)
  if (type === legacyType || plainTypes.includes(type)) return success<readonly Item[]>([])
  return unsupported(`receipt type 0x${type.toString(16)} not supported: tier skipped`)
}

/** The bloom follows from the logs; a node that reports another one contradicts itself. */
const readBloom = (raw: JsonRecord, logs: readonly ReceiptLog[]): Uint8Array | null => {
  const bloom = bloomOf(logs)
  const { logsBloom } = raw
  const isSame = logsBloom === undefined || readLowercase(logsBloom, dataPattern) === toHex(bloom)
  return isSame ? bloom : null
}

/** Encodes an RPC receipt as the receipts trie holds it. */
export const encodeReceipt = (raw: unknown, index: number): Outcome<EncodedReceipt, ProofFault> => {
  const at = `receipt ${index} of the block`
  if (!isRecord(raw)) return malformedEvidence(`${at} is not an object`)
  const type = readType(raw.type)
  if (type === null) return malformedEvidence(`${at} has a malformed type`)
  const last = lastItems(raw, type, at)
  if (!last.ok) return last
  const status = readStatus(raw)
  const cumulativeGasUsed = readField(raw.cumulativeGasUsed, 'quantity')
  const logs = readLogs(raw.logs)
  if (status === null || cumulativeGasUsed === null || logs === null) {
    return malformedEvidence(`${at} has a malformed status, cumulativeGasUsed or logs`)
  }
  const bloom = readBloom(raw, logs)
  if (bloom === null) return mismatch(`the logsBloom of ${at} is not that of its logs`)
  const items = [status, cumulativeGasUsed, bloom, logs.map(itemOf), ...last.value]
  return success({ bytes: withType(type, items), logs })
}
