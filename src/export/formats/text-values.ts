import { toIsoDate, toIsoTime } from '../../domain/iso-time.ts'
import { type Column, toHexText, type Value } from '../columns.ts'
import { bigintOfDigits } from '../digits.ts'

/** A value as text formats show it: times and dates by ISO 8601, the others as they are. */
export const toShownValue = ({ type }: Column, value: Value): Value => {
  if (value === null) return null
  if (type === 'timestamp') return toIsoTime(value as number)
  if (type === 'date') return toIsoDate(value as number)
  if (type === 'magnitude')
    return bigintOfDigits(value as string)
      .toString()
      .replace('-', '')
  return type === 'hex' ? toHexText(value as string) : value
}
