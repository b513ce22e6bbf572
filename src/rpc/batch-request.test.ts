import { describe, expect, it } from 'vitest'
import { failure, success } from '../domain/outcome.ts'
import { mapChunks, mapConcurrent } from './batch-request.ts'

describe('mapConcurrent', () => {
  it('keeps the order and the limit', async () => {
    let inFlight = 0
    let most = 0
    const result = await mapConcurrent([30, 10, 20, 0], 2, async (ms) => {
      most = Math.max(most, ++inFlight)
      await new Promise((later) => setTimeout(later, ms))
      inFlight--
      return success(ms)
    })
    expect(result).toEqual(success([30, 10, 20, 0]))
    expect(most).toBe(2)
  })

  it('begins nothing after a failure', async () => {
    const begun: number[] = []
    const result = await mapConcurrent([1, 2, 3], 1, async (item) => {
      begun.push(item)
      return item === 2 ? failure('two') : success(item)
    })
    expect(result).toEqual(failure('two'))
    expect(begun).toEqual([1, 2])
  })

  it('of nothing', async () => {
    expect(await mapConcurrent([], 4, async () => failure('never'))).toEqual(success([]))
  })
})

it('mapChunks joins the results of chunks in the order of the items', async () => {
  const sizes: number[] = []
  const work = async (some: readonly number[]) => {
    sizes.push(some.length)
    return success(some.map((each) => each * 2))
  }
  const limits = { sizeMax: 2, inFlightMax: 2 }
  expect(await mapChunks([1, 2, 3, 4, 5], limits, work)).toEqual(success([2, 4, 6, 8, 10]))
  expect(sizes).toEqual([2, 2, 1])
})
