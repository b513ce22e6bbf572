import { RLP } from '@ethereumjs/rlp'
import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import { isRecord } from '../net/json.ts'
import { toHex } from './encoding/bytes.ts'
import { malformedEvidence, mismatch, type ProofFault } from './proof-fault.ts'
import type { ProvenHeader } from './prove-header.ts'
import { proveEntry } from './trie/proof.ts'

/** What the state trie holds of an account (Yellow Paper §4.1). */
type Account = { readonly balance: bigint; readonly storageHash: Hash }

/** An account and words of its storage after a block, in the order of the slots asked for. */
export type ProvenState = {
  /** In wei; 0 for an account that does not exist. */
  readonly balance: bigint
  readonly exists: boolean
  readonly words: readonly Hash[]
}

const wordDigits = 64

const toWord = (bytes: Uint8Array): Hash => {
  const digits = toHex(bytes).slice('0x'.length)
  return `0x${digits.padStart(wordDigits, '0')}`
}

const toInteger = (bytes: Uint8Array): bigint => BigInt(toWord(bytes))

/** RLP of [nonce, balance, storageHash, codeHash]. */
const decodeAccount = (bytes: Uint8Array): Account | null => {
  const items = RLP.decode(bytes)
  if (!Array.isArray(items) || items.length !== 4) return null
  const [, balance, storageHash] = items
  if (!(balance instanceof Uint8Array) || !(storageHash instanceof Uint8Array)) return null
  return { balance: toInteger(balance), storageHash: toHex(storageHash) }
}

const proveAccount = async (
  { stateRoot }: ProvenHeader,
  address: Address,
  nodes: unknown,
): Promise<Outcome<Account | null, ProofFault>> => {
  const what = `account ${address}`
  const entry = await proveEntry(stateRoot, address, { nodes, what })
  if (!entry.ok || entry.value === null) return entry.ok ? success(null) : entry
  const account = decodeAccount(entry.value)
  return account === null ? mismatch(`the proof of ${what} ends in no account`) : success(account)
}

const zeroWord: Hash = `0x${'0'.repeat(wordDigits)}`

const proveWord = async (
  storageHash: Hash,
  slot: Hash,
  nodes: unknown,
): Promise<Outcome<Hash, ProofFault>> => {
  const what = `storage slot ${slot}`
  const entry = await proveEntry(storageHash, slot, { nodes, what })
  if (!entry.ok) return entry
  // The trie holds no zero words.
  if (entry.value === null) return success(zeroWord)
  const bytes = RLP.decode(entry.value)
  const isWord = bytes instanceof Uint8Array && bytes.length <= 32
  return isWord ? success(toWord(bytes)) : mismatch(`the proof of ${what} ends in no word`)
}

/** The lists of nodes of an answer, as many as slots were asked for. */
const readStorageProofs = (value: unknown, count: number): readonly unknown[] | null => {
  if (!Array.isArray(value) || value.length !== count) return null
  return value.map((each: unknown) => (isRecord(each) ? each.proof : null))
}

/**
 * Proves the balance of an account and words of its storage after the header's block. `answer` is
 * that to `eth_getProof` for exactly these slots; what it states beside its proofs is not read.
 */
export const proveState = async (
  header: ProvenHeader,
  { address, slots }: { readonly address: Address; readonly slots: readonly Hash[] },
  answer: unknown,
): Promise<Outcome<ProvenState, ProofFault>> => {
  if (!isRecord(answer)) return malformedEvidence('the node returned no proof')
  const account = await proveAccount(header, address, answer.accountProof)
  if (!account.ok) return account
  if (account.value === null) {
    return success({ balance: 0n, exists: false, words: slots.map(() => zeroWord) })
  }
  const proofs = readStorageProofs(answer.storageProof, slots.length)
  if (proofs === null) {
    return malformedEvidence(`the node returned no proofs of ${slots.length} storage slots`)
  }
  const { balance, storageHash } = account.value
  const words: Hash[] = []
  for (const [index, slot] of slots.entries()) {
    const word = await proveWord(storageHash, slot, proofs[index])
    if (!word.ok) return word
    words.push(word.value)
  }
  return success({ balance, exists: true, words })
}
