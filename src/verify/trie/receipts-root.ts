import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import type { Hash } from '../../domain/units.ts'
import { toHex } from '../encoding/bytes.ts'

/** Root of the trie of encoded receipts, each under `rlp(index)` (Yellow Paper §4.3.2). */
export const receiptsRootOf = async (receipts: readonly Uint8Array[]): Promise<Hash> => {
  const trie = new MerklePatriciaTrie()
  for (const [index, receipt] of receipts.entries()) await trie.put(RLP.encode(index), receipt)
  return toHex(trie.root())
}
