import { expect, test } from 'vitest'
import { initialScanSize, sizeAfterRejection, sizeAfterResponse } from './scan-size.ts'

test('a bounded first range, then as wide as the logs allow', () => {
  const first = initialScanSize(120_000_000)
  expect(first.blocks).toBe(1_000_000)
  expect(initialScanSize(7).blocks).toBe(7)
  expect(sizeAfterResponse(first, 1000, 0).blocks).toBe(4000)
  expect(sizeAfterResponse(first, 1000, 8000).blocks).toBe(500)
  expect(sizeAfterResponse(first, 1, 9000).blocks).toBe(1)
})

test.each([
  ['says nothing', null, 500],
  ['says how much it would answer', 100, 100],
  ['says what cannot help', 2000, 500],
])('after a refusal that %s', (_, suggested, blocks) => {
  expect(sizeAfterRejection(initialScanSize(1000), 1000, suggested).blocks).toBe(blocks)
})

// A node that answers 2,000 logs at most refuses a few times, and then no more.
test('a cap on logs is learnt', () => {
  const [cap, logsPerBlock] = [2000, 3]
  let size = initialScanSize(1_000_000)
  let refusals = 0
  for (let asked = 0; asked < 200; asked++) {
    const { blocks } = size
    const logs = blocks * logsPerBlock
    if (logs > cap) refusals += 1
    size =
      logs > cap ? sizeAfterRejection(size, blocks, null) : sizeAfterResponse(size, blocks, logs)
  }
  expect(refusals).toBeLessThan(20)
  expect(size.blocks * logsPerBlock).toBeGreaterThan(cap / 10)
})

//  asked     1000 100 400 100 100 400 100 ...      400 is refused, ever more seldom
test.each([
  ['stated', 100],
  ['not stated', null],
])('a cap on blocks that is %s is learnt', (_, stated) => {
  const cap = 100
  let size = initialScanSize(1_000_000)
  let answers = 0
  let refusals = 0
  while (answers < 1000) {
    const { blocks } = size
    if (blocks > cap) refusals += 1
    else answers += 1
    size =
      blocks > cap ? sizeAfterRejection(size, blocks, stated) : sizeAfterResponse(size, blocks, 0)
  }
  expect(refusals).toBeLessThan(80)
  // Once the cap is gone, it is soon found out.
  for (let more = 0; more < 70; more++) size = sizeAfterResponse(size, size.blocks, 0)
  expect(size.blocks).toBeGreaterThan(10_000)
})
