import { plainText } from './pretty-line.ts'

/** Scrolling lines, and below them a status line that changes in place. */
export type Terminal = {
  readonly line: (text: string) => void
  /** Replaces the status line; an empty text removes it. */
  readonly status: (text: string) => void
}

const eraseLine = '\r\u001b[2K'

export const createTerminal = (deps: {
  readonly write: (text: string) => void
  readonly columns: () => number
}): Terminal => {
  let status = ''
  // A status line that wraps could not be erased.
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
