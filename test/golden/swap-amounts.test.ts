import { describe, expect, it } from 'vitest'
import { buildTickMap } from '../../src/domain/pool/tick-map.ts'
import { type SwapPool, simulateSwap } from '../../src/domain/swap/simulate-swap.ts'
import { readData } from './read-data.ts'

type RecordedMap = {
  readonly name: string
  readonly block: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: string
  readonly tick: number
  readonly liquidity: string
  readonly ticks: readonly (readonly [tick: number, net: string, gross: string])[]
}

type RecordedAmount = {
  readonly pool: string
  readonly block: number
  /** With the protocol's part, hundredths of a bip. */
  readonly fee: number
  readonly zeroForOne: boolean
  readonly exact: 'input' | 'output'
  readonly amount: string
  /** Amount of the other side; null where V4Quoter found too little liquidity. */
  readonly said: string | null
  readonly by: 'quoter' | 'chain' | 'library'
}

const maps = readData<RecordedMap[]>('liquidity-maps')
const recorded = readData<RecordedAmount[]>('swap-amounts')

const poolOf = (name: string, block: number): SwapPool => {
  const map = maps.find((each) => each.name === name && each.block === block)
  if (map === undefined) throw new Error(`no map of ${name} at ${block}`)
  const rows = map.ticks.map(([tick, net, gross]) => ({
    ...{ tick, net: BigInt(net), gross: BigInt(gross) },
  }))
  const tickMap = buildTickMap(rows)
  if (!tickMap.known) throw new Error(tickMap.reason)
  const { tick, tickSpacing } = map
  const price = { sqrtPriceX96: BigInt(map.sqrtPriceX96), tick }
  return { price, liquidity: BigInt(map.liquidity), tickMap: tickMap.value, tickSpacing }
}

const simulated = ({ pool, block, fee, zeroForOne, exact, amount }: RecordedAmount) =>
  simulateSwap(poolOf(pool, block), { zeroForOne, exact, amount: BigInt(amount), fee })

const groups = Map.groupBy(recorded, ({ pool, block, by }) => `${pool} at ${block}, by the ${by}`)

describe('recorded amounts, from the recorded map of the same block', () => {
  it('are 168 of quoters, one of the chain and two of a library', () => {
    const counts = ['quoter', 'chain', 'library'].map(
      (by) => recorded.filter((each) => each.by === by).length,
    )
    expect(counts).toEqual([168, 1, 2])
  })

  it.each([...groups])('%s', (_, amounts) => {
    for (const each of amounts) {
      const { exact, amount, said } = each
      const { amountIn, amountOut, filled } = simulated(each)
      if (said === null) expect(filled, `${exact} ${amount}`).toBe(false)
      else expect(exact === 'input' ? amountOut : amountIn, `${exact} ${amount}`).toBe(BigInt(said))
    }
  })

  it('cross hundreds of ticks, and end with the liquidity', () => {
    const swaps = recorded.map(simulated)
    expect(Math.max(...swaps.map(({ ticksCrossed }) => ticksCrossed))).toBeGreaterThan(200)
    expect(swaps.filter(({ filled }) => !filled).length).toBeGreaterThan(20)
    expect(swaps.filter(({ filled }) => filled).length).toBeGreaterThan(100)
  })

  it('of the chain contain the protocol fee', () => {
    const swap = recorded.find(({ by }) => by === 'chain') as RecordedAmount
    expect(swap.fee).toBe(12)
    expect(simulated({ ...swap, fee: 10 }).amountOut - BigInt(swap.said ?? 0)).toBe(170n)
  })
})
