import { RLP } from '@ethereumjs/rlp'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash, Hex, UnixSeconds } from '../domain/units.ts'
import { isRecord, type JsonRecord } from '../net/json.ts'
import { type FieldForm, keccakOf, readField, toHex } from './encoding/bytes.ts'
import { malformedEvidence, mismatch, type ProofFault, unsupported } from './proof-fault.ts'

/**
 * A header whose fields hash to its block hash. OP-stack and Arbitrum Nitro chains use Ethereum's
 * encoding (`Header` in core/types/block.go of ethereum-optimism/op-geth @ 7b56c731 and
 * OffchainLabs/go-ethereum @ 49b38a63). Nitro's `l1BlockNumber`, `sendCount` and `sendRoot` are no
 * fields of their own: they repeat `mixHash` and `extraData`.
 */
export type ProvenHeader = {
  readonly block: BlockNumber
  readonly hash: Hash
  readonly parentHash: Hash
  readonly ts: UnixSeconds
  readonly stateRoot: Hash
  readonly receiptsRoot: Hash
  /** 256 bytes. */
  readonly logsBloom: Hex
}

type Field = readonly [name: string, form: FieldForm]

const bloomBytes = 256

/** Yellow Paper §4.3.3, by the names of the RPC. */
const firstFields: readonly Field[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', bloomBytes],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 32],
  ['nonce', 8],
]

/**
 * Appended by London (EIP-1559), Shanghai (4895), Cancun (4844, 4788), Prague (7685) and Amsterdam
 * (7928, 7843), in this order: `Header` in core/types/block.go of ethereum/go-ethereum @ 02b73d4e.
 */
const laterFields: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'quantity'],
]

/** Members of an RPC block that are not part of the header. */
const otherMembers: readonly string[] = [
  'hash',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
  'l1BlockNumber',
  'sendCount',
  'sendRoot',
]

const isPresent = (raw: JsonRecord, [name]: Field): boolean =>
  raw[name] !== undefined && raw[name] !== null

/** A fork adds to the end, so no field is present after one that is absent. */
const presentFields = (raw: JsonRecord): Outcome<readonly Field[], ProofFault> => {
  const count = laterFields.findIndex((field) => !isPresent(raw, field))
  const present = count === -1 ? laterFields : laterFields.slice(0, count)
  const late = laterFields.slice(present.length).find((field) => isPresent(raw, field))
  return late === undefined
    ? success([...firstFields, ...present])
    : malformedEvidence(`the header has ${late[0]}, but no ${laterFields[present.length]?.[0]}`)
}

const encodeHeader = (raw: JsonRecord): Outcome<Uint8Array, ProofFault> => {
  const fields = presentFields(raw)
  if (!fields.ok) return fields
  const items: Uint8Array[] = []
  for (const [name, form] of fields.value) {
    const bytes = readField(raw[name], form)
    if (bytes === null) return malformedEvidence(`the header's ${name} is missing or malformed`)
    items.push(bytes)
  }
  return success(RLP.encode(items))
}

const unknownMembers = (raw: JsonRecord): readonly string[] => {
  const known = [...[...firstFields, ...laterFields].map(([name]) => name), ...otherMembers]
  return Object.keys(raw).filter((name) => !known.includes(name))
}

/** Unknown members may belong to a newer fork; without one, the fields are not the block's. */
const refuse = (raw: JsonRecord, found: Hash, hash: Hash): Outcome<never, ProofFault> => {
  const unknown = unknownMembers(raw)
  const hashes = `the header's fields hash to ${found}, not to the block hash ${hash}`
  return unknown.length === 0
    ? mismatch(hashes)
    : unsupported(`${hashes}; fields of this header are not known here: ${unknown.join(', ')}`)
}

const hashField = (raw: JsonRecord, name: string, form: number): Hash =>
  toHex(readField(raw[name], form) ?? new Uint8Array())

/** Proves the header of an RPC block (`eth_getBlockByHash`) by the hash that it must have. */
export const proveHeader = (raw: unknown, hash: Hash): Outcome<ProvenHeader, ProofFault> => {
  if (!isRecord(raw)) return malformedEvidence('the node returned no block')
  const encoded = encodeHeader(raw)
  if (!encoded.ok) return encoded
  const found = keccakOf(encoded.value)
  if (found !== hash) return refuse(raw, found, hash)
  return success({
    block: Number(raw.number),
    hash,
    parentHash: hashField(raw, 'parentHash', 32),
    ts: Number(raw.timestamp),
    stateRoot: hashField(raw, 'stateRoot', 32),
    receiptsRoot: hashField(raw, 'receiptsRoot', 32),
    logsBloom: hashField(raw, 'logsBloom', bloomBytes),
  })
}
