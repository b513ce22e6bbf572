import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BackupColumn, BackupDefault, BackupRow, BackupTable } from '../ports/store-backup.ts'
import { columnText, type TableHeader } from './format.ts'

/** A table as the file has it. */
export type FileTable = {
  readonly name: string
  readonly rows: number
  /** In the file's order. */
  readonly columns: readonly BackupColumn[]
  /** Completes a row with what the version that wrote the file did not know. */
  readonly toRow: (row: BackupRow) => BackupRow
}

const orNull = ' or null'

/** Whether these are some of `all`, each once and in its order. */
const isInOrder = <T>(some: readonly T[], all: readonly T[]): boolean =>
  some.every((each, at) => at === 0 || all.indexOf(each) > all.indexOf(some[at - 1] as T))

const disordered = failure('has its columns in a different order, or twice')

/** The column that the text describes: ours, or what was not nullable in an earlier version. */
const findColumn = (table: BackupTable, text: string): BackupColumn | undefined =>
  table.columns.find((column) => {
    const ours = columnText(column)
    return ours === text || (column.nullable && ours === `${text}${orNull}`)
  })

const unknownTo = (what: string): Outcome<never, string> =>
  failure(`holds "${what}", which this version does not know (a newer one wrote it?)`)

type Place = { readonly at: number } | { readonly value: BackupDefault }

/** Where the values of a complete row come from, in the order of our columns. */
const placeValues = (
  { name, columns, defaults }: BackupTable,
  theirs: readonly BackupColumn[],
): Outcome<readonly Place[], string> => {
  const places: Place[] = []
  for (const column of columns) {
    const at = theirs.indexOf(column)
    const value = defaults[column.name] ?? null
    if (at < 0 && value === null && !column.nullable) {
      return failure(`lacks "${name}.${columnText(column)}", which every version writes`)
    }
    places.push(at < 0 ? { value } : { at })
  }
  return success(places)
}

const createCompletion = (places: readonly Place[], theirs: readonly BackupColumn[]) => {
  const names = theirs.map(({ name }) => name)
  return (row: BackupRow): BackupRow => {
    const valueIn = (column: string) => row[names.indexOf(column)] ?? null
    return places.map((place) => {
      if ('at' in place) return row[place.at] ?? null
      return typeof place.value === 'function' ? place.value(valueIn) : place.value
    })
  }
}

const matchTable = (heading: TableHeader, table: BackupTable): Outcome<FileTable, string> => {
  const { name, rows } = heading
  const columns: BackupColumn[] = []
  for (const text of heading.columns) {
    const column = findColumn(table, text)
    if (column === undefined) return unknownTo(`${name}.${text}`)
    columns.push(column)
  }
  if (!isInOrder(columns, table.columns)) return disordered
  const places = placeValues(table, columns)
  if (!places.ok) return places
  const isComplete = columns.length === table.columns.length
  const toRow = isComplete ? (row: BackupRow) => row : createCompletion(places.value, columns)
  return success({ name, rows, columns, toRow })
}

/**
 * Matches the tables and columns of a file with those of this version. Earlier versions lack some;
 * what this version does not know is a fault, which completes a sentence that starts with the
 * file's name.
 */
export const matchColumns = (
  headings: readonly TableHeader[],
  known: readonly BackupTable[],
): Outcome<readonly FileTable[], string> => {
  const tables: FileTable[] = []
  for (const heading of headings) {
    const table = known.find(({ name }) => name === heading.name)
    if (table === undefined) return unknownTo([heading.name, heading.columns[0]].join('.'))
    const matched = matchTable(heading, table)
    if (!matched.ok) return matched
    tables.push(matched.value)
  }
  const names = tables.map(({ name }) => name)
  if (
    !isInOrder(
      names,
      known.map(({ name }) => name),
    )
  )
    return disordered
  const missing = known.find(({ name, isOptional }) => !isOptional && !names.includes(name))
  return missing === undefined
    ? success(tables)
    : failure(`lacks "${missing.name}", which every version writes`)
}

/** The tables, and the columns as `header.epoch`, that the file does not have. */
export const listLacking = (
  tables: readonly FileTable[],
  known: readonly BackupTable[],
): readonly string[] =>
  known.flatMap(({ name, columns }) => {
    const theirs = tables.find((table) => table.name === name)
    if (theirs === undefined) return [name]
    return columns
      .filter((column) => !theirs.columns.includes(column))
      .map((column) => `${name}.${column.name}`)
  })
