import { expect, test } from 'vitest'
import { sampleHash } from '../../../test/support/domain/sample-chain.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { BlockRange, BlockRangeLogs } from '../../ports/chain-reader.ts'
import { readLinkedRanges } from './read-linked-ranges.ts'

/** Blocks of three logs each; from `forkAt` on, once it was read so often, on another branch. */
const createNode = (given: { forkAt?: number; afterReads?: number } = {}) => {
  const { forkAt = Number.POSITIVE_INFINITY, afterReads = 0 } = given
  const asked: string[] = []
  const read = async ({ from, to }: BlockRange) => {
    asked.push(`${from}-${to}`)
    if (to - from >= 50) {
      return failure({ kind: 'range-too-large', suggestedBlocks: null, detail: '' } as const)
    }
    const hashOf = (block: number) =>
      sampleHash(block, asked.length > afterReads && block >= forkAt ? 1 : 0)
    const logs = Array.from({ length: 3 * (to - from + 1) }, () => ({}) as never)
    const last = { block: to, hash: hashOf(to), ts: to }
    return success<BlockRangeLogs>({ logs, parentHash: hashOf(from - 1), last })
  }
  return { asked, read }
}

const range = { from: 101, to: 200 }
const readOver = (node: ReturnType<typeof createNode>, logsMax = 1000) => {
  let logs = 0
  const onRange = (answer: BlockRangeLogs): boolean => {
    logs += answer.logs.length
    return logs < logsMax
  }
  return { blocksFirst: 80, read: node.read, onRange, logs: () => logs }
}

test('reads all blocks in ranges that the endpoint accepts', async () => {
  const node = createNode()
  const reading = readOver(node)
  const read = await readLinkedRanges({ range, parentHash: sampleHash(100), ...reading })
  expect(read).toEqual(success({ block: 200, hash: sampleHash(200), ts: 200 }))
  expect(node.asked).toEqual(['101-180', '101-140', '141-180', '181-200'])
  expect(reading.logs()).toBe(300)
})

test('stops when the caller has enough', async () => {
  const read = await readLinkedRanges({ range, ...readOver(createNode(), 100) })
  expect(read).toMatchObject({ value: { block: 140 } })
})

test('returns no last block for an empty range', async () => {
  const node = createNode()
  expect(await readLinkedRanges({ range: { from: 9, to: 8 }, ...readOver(node) })).toEqual(
    success(null),
  )
  expect(node.asked).toEqual([])
})

test.each([
  ['does not continue the block before', { forkAt: 1 }, 101],
  ['changes between two ranges', { forkAt: 120, afterReads: 2 }, 141],
  ['changes before the last range', { forkAt: 150, afterReads: 3 }, 181],
] as const)('rejects a branch that %s', async (_, node, at) => {
  const read = await readLinkedRanges({
    range,
    parentHash: sampleHash(100),
    ...readOver(createNode(node)),
  })
  const detail = `the chain changed at block ${at} while it was read`
  expect(read).toEqual(failure({ kind: 'behind', detail }))
})

test('returns any other fault', async () => {
  const fault = { kind: 'timeout', detail: '' } as const
  const reading = { ...readOver(createNode()), read: async () => failure(fault) }
  expect(await readLinkedRanges({ range, ...reading })).toEqual(failure(fault))
})
