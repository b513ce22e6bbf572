/** One event as it came over the wire. */
export type SseEvent = { readonly event: string; readonly data: string; readonly id: string }

/** Longer than any event; more without an end is no event stream. */
const unfinishedCharsMax = 4 * 1024 * 1024

/**
 * Reads server-sent events from text in pieces (WHATWG HTML §9.2.6). `onId` hears every id, also of
 * events without data: those only say where the stream stands.
 */
export const createSseParser = (onId: (id: string) => void) => {
  let rest = ''
  let id = ''

  const readBlock = (block: string): SseEvent | null => {
    let event = 'message'
    const data: string[] = []
    for (const line of block.split(/\r\n|\r|\n/)) {
      const at = line.indexOf(':')
      if (at === 0 || line === '') continue
      const name = at === -1 ? line : line.slice(0, at)
      const value = at === -1 ? '' : line.slice(at + 1).replace(/^ /, '')
      if (name === 'event') event = value
      if (name === 'data') data.push(value)
      if (name === 'id' && !value.includes('\0')) id = value
    }
    onId(id)
    return data.length === 0 ? null : { event, data: data.join('\n'), id }
  }

  return (piece: string): readonly SseEvent[] => {
    const blocks = (rest + piece).split(/\r\n\r\n|\n\n|\r\r/)
    rest = blocks.pop() ?? ''
    if (rest.length > unfinishedCharsMax) throw new Error('the event stream is malformed')
    return blocks.map(readBlock).filter((each) => each !== null)
  }
}
