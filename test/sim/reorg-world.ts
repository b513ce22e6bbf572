import { toEventSelector } from 'viem'
import { afterEach, expect } from 'vitest'
import { createDrawnChain, type DrawnBlock, firstBlock } from './drawn-chain.ts'
import {
  confirmations,
  createDrawnIndex,
  type DrawnIndex,
  stateOf,
  undisturbed,
  violations,
  withUnreadFees,
} from './drawn-index.ts'
import { createDrawnNode } from './drawn-node.ts'

/** A first price has no row of its own: an example of its own loses it, none of the drawn. */
export const v3Initialize = toEventSelector('Initialize(uint160,int24)')

/** Has no row either. */
export const v4ProtocolFeeUpdated = toEventSelector('ProtocolFeeUpdated(bytes32,uint24)')

const opened: DrawnIndex[] = []
afterEach(async () => {
  for (const drawn of opened.splice(0)) await drawn.store.close()
})

export const start = async (
  first: readonly DrawnBlock[],
  more: { branchLogsMax?: number } = {},
) => {
  const chain = createDrawnChain()
  chain.grow(first)
  const node = createDrawnNode(chain)
  const drawn = await createDrawnIndex(chain, node, more)
  opened.push(drawn)
  return { chain, node, drawn }
}

export type World = Awaited<ReturnType<typeof start>>

const settledOf = async (drawn: DrawnIndex) =>
  (await stateOf(drawn)).header.finalizedCursor?.block ?? 0

/** One step, after which nothing that was promised may be broken. */
export const stepSoundly = async ({ chain, drawn }: World): Promise<void> => {
  const before = await settledOf(drawn)
  await drawn.step()
  expect(await violations(chain, drawn, before)).toEqual([])
}

/** Steps until the index has nothing left to do, and asks for the heads again. */
const rest = async ({ drawn }: World): Promise<void> => {
  while ((await drawn.step()).waitMs === 0) {}
}

/** Steps until the index has what the chain has, and settled what is final. */
export const catchUp = async (world: World, stepsMax = 60): Promise<void> => {
  const { chain, drawn } = world
  const isThere = async () => {
    const { header } = await stateOf(drawn)
    const to = chain.head() - confirmations
    const isIndexed = to < firstBlock || header.cursor?.hash === chain.anchor(to)?.hash
    const final = Math.min(chain.finalBlock() ?? 0, header.cursor?.block ?? 0)
    return isIndexed && (header.finalizedCursor?.block ?? 0) >= Math.min(final, to)
  }
  for (let steps = 0; steps < stepsMax && !(await isThere()); steps++) await stepSoundly(world)
  expect(await isThere()).toBe(true)
  await rest(world)
}

/** The store holds what one would that had never seen another branch, and so does the book. */
export const expectUndisturbed = async ({ chain, drawn }: World): Promise<void> => {
  const { header, rows, pools } = await stateOf(drawn)
  const to = header.cursor?.block ?? 0
  expect(header.cursor).toEqual(chain.anchor(to))
  expect(rows).toEqual(withUnreadFees(await undisturbed(chain, to), rows))
  await drawn.index.load()
  const byNumber = (a: (typeof pools)[number], b: (typeof pools)[number]) =>
    a.identity.number - b.identity.number
  expect(pools.toSorted(byNumber)).toEqual([...drawn.index.pools().all()].toSorted(byNumber))
}
