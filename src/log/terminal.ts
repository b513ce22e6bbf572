import { plainText } from './pretty-line.ts'

/** Lines that scroll, and below them one that changes in place. */
export type Terminal = {
  readonly line: (text: string) => void
  /** Replaces the last line; an empty text removes it. */
  readonly status: (text: string) => void
}

const eraseLine = '\r\u001b[2K'

/** Writes for a person at a terminal of `columns()` characters. */
export const createTerminal = (deps: {
  readonly write: (text: string) => void
  readonly columns: () => number
}): Terminal => {
  let status = ''
  // A status that wraps could not be erased again.
  const cut = () => status.slice(0, Math.max(0, deps.columns() - 1))
  return {
    line: (text) => deps.write(`${status === '' ? '' : eraseLine}${plainText(text)}\n${cut()}`),
    status: (text) => {
      const next = plainText(text)
      if (next === status) return
      status = next
      deps.write(`${eraseLine}${cut()}`)
    },
  }
}
