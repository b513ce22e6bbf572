import { setParams } from '../live/route.ts'
import { Choice } from '../parts/choice.tsx'

/** The ranges of the API. */
const ranges = ['1h', '6h', '24h', '7d', '30d', '90d', 'all'] as const
export type Range = (typeof ranges)[number]

const usual: Range = '24h'

export const readRange = (search: string): Range => {
  const given = new URLSearchParams(search).get('range')
  return ranges.find((range) => range === given) ?? usual
}

export const Ranges = ({ range }: { readonly range: Range }) => (
  <Choice
    legend="Range"
    name="range"
    choices={ranges}
    chosen={range}
    onChoose={(next) => setParams({ range: next === usual ? null : next })}
  />
)
