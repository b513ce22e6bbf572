import { navigate } from '../live/route.ts'

/** The ranges of the API. */
const ranges = ['1h', '6h', '24h', '7d', '30d', '90d', 'all'] as const
export type Range = (typeof ranges)[number]

export const readRange = (search: string): Range => {
  const given = new URLSearchParams(search).get('range')
  return ranges.find((range) => range === given) ?? '24h'
}

/** A radio group, so that arrow keys move through the ranges. */
export const Ranges = ({ range }: { readonly range: Range }) => {
  const choose = (next: Range) =>
    navigate(next === '24h' ? location.pathname : `${location.pathname}?range=${next}`, 'replace')
  return (
    <fieldset class="ranges">
      <legend class="hidden">Range</legend>
      {ranges.map((each) => (
        <label key={each} class={each === range ? 'chosen' : ''}>
          <input
            type="radio"
            name="range"
            value={each}
            checked={each === range}
            onChange={() => choose(each)}
          />
          {each}
        </label>
      ))}
    </fieldset>
  )
}
