/** By which rule a block is final: the node's own tag, or a depth below the latest block. */
export type Finality = 'finalized' | 'safe' | { readonly blocks: number }
