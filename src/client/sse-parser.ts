/** A server-sent event. */
export type SseEvent = { readonly event: string; readonly data: string; readonly id: string }

/** Longer than any event: more without an end is not an event stream. */
const unfinishedCharsMax = 4 * 1024 * 1024

/**
 * Parses server-sent events from chunks of text (WHATWG HTML §9.2.6). `onId` receives every id,
 * also of events without data, which only mark a position. Blocks without an id keep the last one,
 * at first `lastId`.
 */
export const createSseParser = (onId: (id: string) => void, lastId = '') => {
  let unfinished = ''
  let id = lastId

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

  return (chunk: string): readonly SseEvent[] => {
    const blocks = (unfinished + chunk).split(/\r\n\r\n|\n\n|\r\r/)
    unfinished = blocks.pop() ?? ''
    if (unfinished.length > unfinishedCharsMax) throw new Error('the event stream is malformed')
    return blocks.map(readBlock).filter((event) => event !== null)
  }
}
