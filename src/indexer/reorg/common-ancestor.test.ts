import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { findCommonAncestor, readFinalizedBase } from './common-ancestor.ts'

const anchorAt = (block: number, branch = 0): BlockRef => ({
  block,
  hash: sampleHash(block, branch),
  ts: block,
})

/** The chain has another branch from `forkAt` on; the store kept some blocks of ours. */
const createWorld = (forkAt: number, kept: readonly number[]) => {
  const asked: number[] = []
  const nowAt = (block: number) => anchorAt(block, block >= forkAt ? 1 : 0)
  const chain: Pick<ChainReader, 'getBlockRef' | 'readRangeCrossChecked'> = {
    getBlockRef: async (block) => {
      asked.push(block)
      return success(nowAt(block))
    },
    readRangeCrossChecked: async ({ to }) =>
      success({ logs: [], parentHash: '0x', last: nowAt(to), endpointsAgreed: 2 }),
  }
  const store: Pick<Store, 'readBlockAtOrBelow'> = {
    readBlockAtOrBelow: async (block) => {
      const below = kept.filter((each) => each <= block)
      return below.length === 0 ? null : anchorAt(Math.max(...below))
    },
  }
  return { asked, deps: { chain: chain as ChainReader, store: store as Store, origin: 100 } }
}

const identity = { chainId: 1, network: 'sample', originHash: sampleHash(100) }
const headerOf = (given: Partial<IndexHeader>): IndexHeader =>
  ({ identity, finalizedCursor: null, backfillCursor: null, ...given }) as IndexHeader

describe('where our branch left the chain', () => {
  //   settled            kept      kept    indexed
  //    110 ---- 130 ---- 150 ----- 170 ---- 190
  //                           ^ the chain goes another way from 160 on
  test('is the last kept block that the chain still has', async () => {
    const { deps, asked } = createWorld(160, [110, 130, 150, 170, 190])
    const header = headerOf({ finalizedCursor: anchorAt(110) })
    expect(await findCommonAncestor(deps, header, 190)).toEqual(success(anchorAt(150)))
    expect(asked).toEqual([110, 150, 170])
  })

  test.each([
    ['the settled block, if nothing else was kept', [110, 190], 160, 110],
    ['the settled block, if all above it is gone', [110, 130, 150, 170, 190], 120, 110],
    ['the block below ours, if only ours is gone', [110, 188, 189, 190], 190, 189],
  ])('is %s', async (_, kept, forkAt, expected) => {
    const { deps } = createWorld(forkAt, kept)
    const fork = await findCommonAncestor(deps, headerOf({ finalizedCursor: anchorAt(110) }), 190)
    expect(fork).toEqual(success(anchorAt(expected)))
  })

  test('is found with few questions, whatever was kept', async () => {
    const anyKept = fc.uniqueArray(fc.integer({ min: 111, max: 9999 }), { maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(anyKept, fc.integer({ min: 111, max: 10_000 }), async (some, forkAt) => {
        const kept = [110, ...some, 10_000]
        const { deps, asked } = createWorld(forkAt, kept)
        const fork = await findCommonAncestor(
          deps,
          headerOf({ finalizedCursor: anchorAt(110) }),
          10_000,
        )
        const expected = Math.max(...kept.filter((block) => block < forkAt))
        expect(fork).toEqual(success(anchorAt(expected)))
        expect(asked.length).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(10_000)))
      }),
    )
  })

  test('returns a fault of the search', async () => {
    const { deps } = createWorld(160, [110, 150, 190])
    const fault = { kind: 'timeout', detail: '' } as const
    const anchor = async (block: number) =>
      block === 150 ? failure(fault) : success(anchorAt(block))
    const chain = { getBlockRef: anchor } as unknown as ChainReader
    const header = headerOf({ finalizedCursor: anchorAt(110) })
    expect(await findCommonAncestor({ ...deps, chain }, header, 190)).toEqual(failure(fault))
  })
})

describe('the lowest possible ancestor', () => {
  const history = { completeAfter: anchorAt(90), firstBlock: 80, startedAt: 150, lastPoolNumber: 3 }
  test.each([
    ['the settled block', { finalizedCursor: anchorAt(110) }, 110],
    ['the block at which the bootstrap ended', { backfillCursor: history }, 150],
    ['the first block', {}, 100],
  ])('is %s', async (_, given, block) => {
    const { deps } = createWorld(1000, [100, 110, 150])
    expect(await readFinalizedBase(deps, headerOf(given))).toEqual(success(anchorAt(block)))
  })

  test.each([
    ['settled', { finalizedCursor: anchorAt(110) }, 110],
    ['bootstrap', { backfillCursor: history, cursor: anchorAt(150 + 86_401) }, 150],
    ['first', {}, 100],
  ])('the %s block, taken back all the same, is a violation', async (name, given, block) => {
    const { deps } = createWorld(50, [100, 110, 150])
    const [was, is] = [sampleHash(block), sampleHash(block, 1)]
    const detail = `${name} block ${block} has hash ${was} in the store and ${is} on the chain`
    const fault = { kind: 'finality-violated', detail }
    expect(await readFinalizedBase(deps, headerOf(given))).toEqual(failure(fault))
    expect(await findCommonAncestor(deps, headerOf(given), 190)).toEqual(failure(fault))
  })

  //   top     indexed           a day later
  //   150 ------ 190 -- ... ------- 86,550
  //   ^ replaced: as nothing is settled yet, all may be read again; a day later it is too late
  test('is not the end of a bootstrap that a second endpoint contradicts', async () => {
    const { deps } = createWorld(50, [150])
    const header = headerOf({ backfillCursor: history, cursor: anchorAt(190) })
    const [was, is] = [sampleHash(150), sampleHash(150, 1)]
    const detail = `bootstrap block 150 has hash ${was} in the store and ${is} on the chain`
    expect(await readFinalizedBase(deps, header)).toEqual(
      failure({ kind: 'bootstrap-reorged', detail }),
    )
    const ours = { logs: [], parentHash: '0x', last: anchorAt(150), endpointsAgreed: 1 } as const
    const chain = { ...deps.chain, readRangeCrossChecked: async () => success(ours) }
    expect(await readFinalizedBase({ ...deps, chain }, header)).toEqual(success(anchorAt(150)))
  })

  test('of which nothing was kept is what the chain says', async () => {
    const { deps } = createWorld(50, [])
    const origin = { ...identity, originHash: null }
    const base = await readFinalizedBase(deps, headerOf({ identity: origin }))
    expect(base).toEqual(success(anchorAt(100, 1)))
    expect(await readFinalizedBase(deps, headerOf({ backfillCursor: history }))).toEqual(
      success(anchorAt(150, 1)),
    )
  })
})
