/* Values of a `DayRow`, of the kind that the column has. */

type Cell = string | number | null | undefined

const misfit = (expected: string, cell: Cell): never => {
  throw new TypeError(`export: expected ${expected}, got ${String(cell)}`)
}

export const numberOf = (cell: Cell): number =>
  typeof cell === 'number' ? cell : misfit('a number', cell)

export const numberOrNull = (cell: Cell): number | null => (cell === null ? null : numberOf(cell))

export const textOf = (cell: Cell): string =>
  typeof cell === 'string' ? cell : misfit('text', cell)

export const textOrNull = (cell: Cell): string | null => (cell === null ? null : textOf(cell))
