import { readFileSync, writeFileSync } from 'node:fs'

const tracesStart = Buffer.from('"traces":[')
const open = '['.charCodeAt(0)
const close = ']'.charCodeAt(0)

/**
 * Empties the call traces in a state that anvil wrote. They are four fifths of it and of the
 * memory it takes, and nothing but debugging calls reads them. Works on bytes: parsing a hundred
 * megabytes of JSON would take longer than the node itself needs.
 */
export function removeTraces(path: string): void {
  const state = readFileSync(path)
  let length = 0
  let from = 0
  for (;;) {
    const found = state.indexOf(tracesStart, from)
    if (found < 0) break
    const start = found + tracesStart.length
    // What is kept moves forward within the same bytes.
    length += state.copy(state, length, from, start)
    from = endOfArray(state, start)
  }
  length += state.copy(state, length, from)
  writeFileSync(path, state.subarray(0, length))
}

/** Where the array ends that is open at `start`. Traces hold hexadecimal text, never brackets. */
function endOfArray(state: Buffer, start: number): number {
  let at = start
  for (let depth = 1; at < state.length; at += 1) {
    if (state[at] === open) depth += 1
    else if (state[at] === close) depth -= 1
    if (depth === 0) return at
  }
  throw new Error('the state file ends within an array')
}
