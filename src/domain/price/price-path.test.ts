import { describe, expect, it } from 'vitest'
import { appendStep, type PriceStep, timeWeightedPrice } from './price-path.ts'

const pathOf = (...steps: (readonly [ts: number, price: number])[]): PriceStep[] => {
  const path: PriceStep[] = []
  for (const [ts, price] of steps) appendStep(path, { ts, price })
  return path
}

const weigh = (path: readonly PriceStep[], fromTs: number, toTs: number) =>
  timeWeightedPrice(path, { fromTs, toTs }).map(({ value, weight }) => [value, weight])

describe('a price path', () => {
  it('keeps the last of several prices of one second', () => {
    expect(pathOf([1, 10], [2, 20], [2, 21], [2, 22])).toEqual([
      { ts: 1, price: 10 },
      { ts: 2, price: 22 },
    ])
  })

  it('forgets the oldest half when it has grown too long', () => {
    const path: PriceStep[] = []
    for (let ts = 0; ts < 4097; ts++) appendStep(path, { ts, price: ts })
    expect(path).toHaveLength(2048)
    expect([path[0]?.ts, path.at(-1)?.ts]).toEqual([2049, 4096])
  })

  //   price   3          ┌──
  //           2   ┌──────┘
  //           1 ──┘
  //        ts   10  20  30  40  50
  const path = pathOf([10, 1], [20, 2], [40, 3])

  it.each([
    [
      'each price by its seconds',
      10,
      50,
      [
        [1, 10],
        [2, 20],
        [3, 10],
      ],
    ],
    [
      'of the window only',
      15,
      45,
      [
        [1, 5],
        [2, 20],
        [3, 5],
      ],
    ],
    [
      'the one that held when it began',
      25,
      45,
      [
        [1, 0],
        [2, 15],
        [3, 5],
      ],
    ],
    [
      'the last one alone when nothing happened',
      100,
      400,
      [
        [1, 0],
        [2, 0],
        [3, 300],
      ],
    ],
    [
      'one of this very second by one',
      10,
      40,
      [
        [1, 10],
        [2, 20],
        [3, 1],
      ],
    ],
    [
      'none of a later time',
      5,
      30,
      [
        [1, 10],
        [2, 10],
        [3, 0],
      ],
    ],
    [
      'none before there was a price',
      0,
      5,
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
  ])('weighs %s', (_, fromTs, toTs, weights) => {
    expect(weigh(path, fromTs, toTs)).toEqual(weights)
  })

  it('makes a flash of one block weigh next to nothing', () => {
    const flash = pathOf([0, 200], [290, 9999], [291, 201])
    expect(weigh(flash, 0, 300)).toEqual([
      [200, 290],
      [9999, 1],
      [201, 9],
    ])
  })

  it('of nothing is nothing', () => {
    expect(weigh([], 0, 300)).toEqual([])
  })
})
