import type { Column, Row, RowWriter, Shared, Value, WriteBytes } from '../columns.ts'
import { toShownValue } from './text-values.ts'

/** How a text format writes a row from its values. */
export type LineFormat = {
  /** The first line, with its end; empty: none. */
  readonly heading: (columns: readonly Column[]) => string
  readonly line: (columns: readonly Column[], values: readonly Value[]) => string
}

const quoteCsv = (text: string): string =>
  /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text

/** An empty field is null, an empty text is quoted. */
const csvField = (value: Value): string => {
  if (value === null) return ''
  return typeof value === 'string' ? quoteCsv(value) : String(value)
}

/** RFC 4180, with the names of the columns in the first line. */
export const csv: LineFormat = {
  heading: (columns) => `${columns.map(({ name }) => quoteCsv(name)).join(',')}\r\n`,
  line: (_columns, values) => `${values.map(csvField).join(',')}\r\n`,
}

/** One JSON object in each line. */
export const ndjson: LineFormat = {
  heading: () => '',
  line: (columns, values) =>
    `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, values[at]])))}\n`,
}

/** A page of text: few writes, little memory. */
const charsMax = 262_144

export const createLineWriter = (
  format: LineFormat,
  columns: readonly Column[],
  write: WriteBytes,
): RowWriter => {
  let text = format.heading(columns)
  const flush = (): void => {
    write(Buffer.from(text))
    text = ''
  }
  const valuesOf = (row: Row, shared: Shared): readonly Value[] => {
    let [own, common] = [0, 0]
    return columns.map((column) => {
      const value = column.shared ? shared[common++] : row[own++]
      return toShownValue(column, value ?? null)
    })
  }
  return {
    add: (row, shared) => {
      text += format.line(columns, valuesOf(row, shared))
      if (text.length >= charsMax) flush()
    },
    finish: flush,
  }
}
