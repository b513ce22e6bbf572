import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import { applyAncestorProbe, nextAncestorProbe, startAncestorSearch } from './ancestor-search.ts'
import type { BlockRef } from './block-ref.ts'

const anchorAt = (block: number, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

/** Searches a chain that forks after `fork`, of which we kept the anchors of some blocks. */
const search = (blocks: readonly number[], fork: number) => {
  const anchors = blocks.map((block) => anchorAt(block))
  let state = startAncestorSearch(anchors[0] as BlockRef, (anchors.at(-1) as BlockRef).block)
  let asked = 0
  for (let probe = nextAncestorProbe(state); probe !== null; probe = nextAncestorProbe(state)) {
    const limit = probe
    const anchor = anchors.findLast(({ block }) => block <= limit)
    const isNew = anchor !== undefined && anchor.block > state.low
    if (isNew) asked += 1
    const found =
      anchor === undefined ? null : { blockRef: anchor, isOnChain: anchor.block <= fork }
    state = applyAncestorProbe(state, probe, found)
  }
  return { ancestor: state.ancestor.block, asked }
}

// Kept: 100, 110, 120, 130, 140. The chain forks after 125: 120 is the last that we share.
//
//     100 --- 110 --- 120 --+-- 130 --- 140
//                           '-- 126' ...
test.each([
  [100, 100],
  [109, 100],
  [110, 110],
  [125, 120],
  [139, 130],
])('a fork after block %i leaves block %i', (fork, kept) => {
  expect(search([100, 110, 120, 130, 140], fork).ancestor).toBe(kept)
})

test('the last shared anchor is found, however they lie, in few questions', () => {
  const drawn = fc.uniqueArray(fc.nat(200_000), { minLength: 2, maxLength: 300 })
  fc.assert(
    fc.property(drawn, fc.double({ min: 0, max: 1, noNaN: true }), (numbers, share) => {
      const blocks = numbers.toSorted((a, b) => a - b)
      const [first, last] = [blocks[0] as number, blocks.at(-1) as number]
      const fork = first + Math.floor((last - 1 - first) * share)
      const { ancestor, asked } = search(blocks, fork)
      expect(ancestor).toBe(blocks.findLast((block) => block <= fork))
      expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(last - first)) + 1)
    }),
  )
})
