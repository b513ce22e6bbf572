import { firstBlock as chainStart, createSimChain, type SimStep } from './sim-chain.ts'

/** The block that every branch begins with. */
export const firstBlock = chainStart

export type DrawnBlock = SimStep

/**
 * A chain that can change its mind: `fork(2, [x, y, z])` takes back two blocks for three others.
 *
 *     100 --- 101 --- 102 --- 103
 *                 '-- x ----- y ----- z
 */
export const createDrawnChain = () => {
  const chain = createSimChain()
  const growAll = (more: readonly DrawnBlock[]): void => {
    for (const block of more) chain.grow(block)
  }
  return {
    ...chain,
    grow: growAll,
    /** Never deeper than the first block, unless a test breaks the promise of finality. */
    fork: (depth: number, more: readonly DrawnBlock[]) => {
      chain.fork(depth)
      growAll(more)
    },
  }
}

export type DrawnChain = ReturnType<typeof createDrawnChain>
