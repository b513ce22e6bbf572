import { readFileSync, writeFileSync } from 'node:fs'

const tracesStart = Buffer.from('"traces":[')
const open = '['.charCodeAt(0)
const close = ']'.charCodeAt(0)

/**
 * Empties the call traces in a state that anvil wrote. They are four fifths of its size and only
 * debugging calls read them. Works on bytes, because parsing 100 MB of JSON takes too long.
 */
export function removeTraces(path: string): void {
  const state = readFileSync(path)
  let length = 0
  let from = 0
  for (;;) {
    const found = state.indexOf(tracesStart, from)
    if (found < 0) break
    const start = found + tracesStart.length
    // Compacts the buffer in place.
    length += state.copy(state, length, from, start)
    from = endOfArray(state, start)
  }
  length += state.copy(state, length, from)
  writeFileSync(path, state.subarray(0, length))
}

/** End of the array that is open at `start`. Traces contain hex strings without brackets. */
function endOfArray(state: Buffer, start: number): number {
  let at = start
  for (let depth = 1; at < state.length; at += 1) {
    if (state[at] === open) depth += 1
    else if (state[at] === close) depth -= 1
    if (depth === 0) return at
  }
  throw new Error('the state file ends within an array')
}
