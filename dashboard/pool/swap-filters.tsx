import { formatUsd } from '../format/number.ts'
import { setParams } from '../live/route.ts'
import { Choice } from '../parts/choice.tsx'
import type { SwapFilter } from './swap-list.ts'

/*
 * The URL says which swaps are listed.
 */

const sides = { All: null, Buys: 'buy', Sells: 'sell' } as const
type SideName = keyof typeof sides
const sideNames = Object.keys(sides) as SideName[]

const leasts = [100, 1000, 10_000, 100_000]
/** The API's maximum. */
const usdMax = 1e15

export const readSwapFilter = (search: string): SwapFilter => {
  const params = new URLSearchParams(search)
  const side = Object.values(sides).find((each) => each === params.get('side')) ?? null
  const minUsd = Number(params.get('minUsd') ?? Number.NaN)
  return { side, minUsd: minUsd > 0 && minUsd <= usdMax ? minUsd : null }
}

export const SwapFilters = ({ side, minUsd }: SwapFilter) => {
  const known = minUsd === null || leasts.includes(minUsd) ? leasts : [minUsd, ...leasts]
  return (
    <>
      <Choice
        legend="Side of the swaps"
        name="swap-side"
        choices={sideNames}
        chosen={sideNames.find((name) => sides[name] === side) ?? 'All'}
        onChoose={(name) => setParams({ side: sides[name] })}
      />
      <select
        class="least"
        aria-label="Least value of the swaps"
        value={String(minUsd ?? '')}
        onChange={({ currentTarget: { value } }) =>
          setParams({ minUsd: value === '' ? null : value })
        }
      >
        <option value="">Any value</option>
        {known.map((usd) => (
          <option key={usd} value={String(usd)}>
            ≥ {formatUsd(usd)}
          </option>
        ))}
      </select>
    </>
  )
}
