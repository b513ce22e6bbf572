import type { Anchor, ChainLog } from '../../src/domain/chain/chain-log.ts'
import { type SampleBlock, sampleHash } from '../../src/domain/chain/sample-chain.fixture.ts'
import { type Act, play } from '../../src/domain/ingest/sample-history.fixture.ts'

/** What happens in a block, and how many seconds after the one before; zero is possible. */
export type DrawnBlock = {
  readonly acts: readonly Exclude<Act, { readonly kind: 'mine' }>[]
  readonly seconds: number
}

/** The block that every branch begins with. */
export const firstBlock = 100

const onBranch = ({ anchor, logs }: SampleBlock, branch: number): SampleBlock => {
  const hash = sampleHash(anchor.block, branch)
  return { anchor: { ...anchor, hash }, logs: logs.map((log) => ({ ...log, blockHash: hash })) }
}

/**
 * A chain that can change its mind: `fork(2, [x, y, z])` takes back two blocks for three others.
 *
 *     100 --- 101 --- 102 --- 103
 *                 '-- x ----- y ----- z
 *
 * The events of a branch are played anew from the first block on, so that each is one possible life
 * of the same pools.
 */
export const createDrawnChain = () => {
  let drawn: readonly (DrawnBlock & { readonly branch: number })[] = []
  let blocks: readonly SampleBlock[] = []
  let branches = 0
  let finalBlock: number | null = null

  const replay = (next: typeof drawn): void => {
    drawn = next
    const acts = drawn.flatMap(({ acts: own, seconds }): Act[] => [
      ...own,
      { kind: 'mine', seconds },
    ])
    const played = play(acts).blocks.slice(0, drawn.length)
    blocks = played.map((block, at) => onBranch(block, drawn[at]?.branch ?? 0))
  }

  const add = (kept: typeof drawn, more: readonly DrawnBlock[]): void => {
    replay([...kept, ...more.map((block) => ({ ...block, branch: branches }))])
  }

  return {
    grow: (more: readonly DrawnBlock[]) => add(drawn, more),
    /** Never deeper than the first block, unless a test breaks the promise of finality. */
    fork: (depth: number, more: readonly DrawnBlock[]) => {
      branches += 1
      add(drawn.slice(0, Math.max(1, drawn.length - depth)), more)
    },
    finalise: (block: number) => {
      finalBlock = Math.max(finalBlock ?? block, block)
    },
    head: (): number => firstBlock + blocks.length - 1,
    finalBlock: () => finalBlock,
    anchor: (block: number): Anchor | undefined => blocks[block - firstBlock]?.anchor,
    blocks: () => blocks,
    logs: (from: number, to: number): readonly ChainLog[] =>
      blocks
        .filter(({ anchor }) => anchor.block >= from && anchor.block <= to)
        .flatMap(({ logs }) => logs),
  }
}

export type DrawnChain = ReturnType<typeof createDrawnChain>
