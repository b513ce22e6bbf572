import { type Outcome, success } from '../domain/outcome.ts'
import type { Hash, Hex } from '../domain/units.ts'
import { isRecord, type JsonRecord, readLowercase } from '../net/json.ts'
import { mayHoldLog } from './encoding/bloom.ts'
import { encodeReceipt, type ReceiptLog } from './encoding/receipt.ts'
import { malformedEvidence, mismatch, type ProofFault } from './proof-fault.ts'
import type { ProvenHeader } from './prove-header.ts'
import { receiptsRootOf } from './trie/receipts-root.ts'

/**
 * A log that is in its block, at this index. The receipt proves everything but the hash of its
 * transaction, which the node states.
 */
export type ProvenLog = ReceiptLog & {
  readonly logIndex: number
  readonly transactionIndex: number
  readonly statedTransactionHash: Hash
}

const hashPattern = /^0x[0-9a-f]{64}$/

/** A member that repeats what is already known must repeat it correctly; it may be absent. */
const repeats = (raw: JsonRecord, name: string, value: number | Hash): boolean => {
  const stated = raw[name]
  if (stated === undefined || stated === null) return true
  if (typeof value === 'number') return typeof stated === 'string' && Number(stated) === value
  return readLowercase(stated, hashPattern) === value
}

type Place = { readonly header: ProvenHeader; readonly index: number; readonly hash: Hash }

const isPlaced = (raw: unknown, { header, index, hash }: Place): boolean =>
  isRecord(raw) &&
  repeats(raw, 'transactionIndex', index) &&
  repeats(raw, 'blockNumber', header.block) &&
  repeats(raw, 'blockHash', header.hash) &&
  repeats(raw, 'transactionHash', hash)

/** Gives the logs of one receipt their places in the block. */
const placeLogs = (
  raw: JsonRecord,
  logs: readonly ReceiptLog[],
  { place, from }: { readonly place: Place; readonly from: number },
): Outcome<readonly ProvenLog[], ProofFault> => {
  const rawLogs = Array.isArray(raw.logs) ? raw.logs : []
  const isConsistent = rawLogs.every(
    (log: unknown, i) =>
      isPlaced(log, place) && isRecord(log) && repeats(log, 'logIndex', from + i),
  )
  if (!isPlaced(raw, place) || !isConsistent) {
    return mismatch(`receipt ${place.index} of the block states another place than its own`)
  }
  return success(
    logs.map((log, i) => ({
      ...log,
      logIndex: from + i,
      transactionIndex: place.index,
      statedTransactionHash: place.hash,
    })),
  )
}

/**
 * Proves all logs of a block by its header: no other list of receipts, in no other order, has the
 * same `receiptsRoot`. `receipts` is the answer to `eth_getBlockReceipts`.
 */
export const proveLogs = async (
  header: ProvenHeader,
  receipts: unknown,
): Promise<Outcome<readonly ProvenLog[], ProofFault>> => {
  if (!Array.isArray(receipts)) return malformedEvidence('the node returned no receipts')
  const encoded: Uint8Array[] = []
  const proven: ProvenLog[] = []
  for (const [index, raw] of receipts.entries()) {
    const receipt = encodeReceipt(raw, index)
    if (!receipt.ok) return receipt
    const hash = isRecord(raw) ? readLowercase(raw.transactionHash, hashPattern) : null
    if (hash === null) return malformedEvidence(`receipt ${index} of the block has no hash`)
    const place = { header, index, hash }
    const logs = placeLogs(raw, receipt.value.logs, { place, from: proven.length })
    if (!logs.ok) return logs
    encoded.push(receipt.value.bytes)
    proven.push(...logs.value)
  }
  const root = await receiptsRootOf(encoded)
  return root === header.receiptsRoot
    ? success(proven)
    : mismatch(
        `the block's ${receipts.length} receipts hash to ${root}, ` +
          `not to the receiptsRoot ${header.receiptsRoot} of its header`,
      )
}

/**
 * Whether the header alone proves that its block holds no log with all of these values: an address,
 * topics, or both. False proves nothing.
 */
export const isWithoutLog = ({ logsBloom }: ProvenHeader, values: readonly Hex[]): boolean =>
  !mayHoldLog(logsBloom, values)
