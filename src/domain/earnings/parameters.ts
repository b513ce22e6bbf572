import { daysPerYear } from './fee-apr.ts'
import { yieldOwnUsd, yieldRangeBps } from './fee-yield.ts'
import { rangeSwapsMax } from './path-swap.ts'

/** Rows of the parameters of docs/methodology.md §14: name, value, unit, meaning. */
export const earningsRows = [
  ['yieldRangeBps', yieldRangeBps, 'basis points', 'A dollar in range is in so much either way.'],
  ['yieldOwnUsd', yieldOwnUsd, 'US dollars', 'Counted among the dollars in range.'],
  ['rangeSwapsMax', rangeSwapsMax, 'swaps', 'What a range earned is added up from so many.'],
  ['daysPerYear', daysPerYear, 'days', 'The yield of a day times this is a rate of a year.'],
] as const
