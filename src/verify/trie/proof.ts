import { verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { Hash, Hex } from '../../domain/units.ts'
import { readLowercase } from '../../net/json.ts'
import { keccakOf, toBytes } from '../encoding/bytes.ts'
import { malformedEvidence, mismatch, type ProofFault } from '../proof-fault.ts'

/** Root of a trie without entries: keccak256 of the empty RLP string. */
const emptyRoot = keccakOf(RLP.encode(''))

/** A path has 64 nibbles; longer proofs hold nodes of no path. */
const nodesMax = 66
const nodePattern = /^0x(?:[0-9a-f]{2})+$/

const readNodes = (value: unknown): readonly Uint8Array[] | null => {
  if (!Array.isArray(value) || value.length > nodesMax) return null
  const nodes = value
    .map((node) => readLowercase(node, nodePattern))
    .filter((node) => node !== null)
  return nodes.length === value.length ? nodes.map(toBytes) : null
}

/**
 * The value under the hash of a key in the trie with this root, proved by nodes of `eth_getProof`
 * from the root on; null if the nodes prove that there is none.
 */
export const proveEntry = async (
  root: Hash,
  key: Hex,
  { nodes, what }: { readonly nodes: unknown; readonly what: string },
): Promise<Outcome<Uint8Array | null, ProofFault>> => {
  if (root === emptyRoot) return success(null)
  const proof = readNodes(nodes)
  if (proof === null) return malformedEvidence(`the proof of ${what} is missing or malformed`)
  try {
    const path = toBytes(keccakOf(toBytes(key)))
    return success(await verifyMerkleProof(path, [...proof], { root: toBytes(root) }))
  } catch {
    // The library reports every fault of a proof by an error of the same class.
    return mismatch(`the proof of ${what} does not lead from the root ${root} to it`)
  }
}
