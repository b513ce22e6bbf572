/** A network's finality rule: a block tag, or a depth below the latest block. */
export type Finality = 'finalized' | 'safe' | { readonly blocks: number }
