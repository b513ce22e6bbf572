/** Bytes from `start` up to, not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number }

const singleRange = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i

/**
 * The range that a Range header asks of so many bytes (RFC 9110 §14.2). Null: all of them, also for
 * a malformed header, another unit and several ranges, which a server may ignore.
 */
export const parseRange = (
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = singleRange.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const suffix = Math.min(Number(last), bytes)
    return suffix === 0 ? 'unsatisfiable' : { start: bytes - suffix, end: bytes }
  }
  const start = Number(first)
  const end = last === '' ? bytes : Math.min(Number(last) + 1, bytes)
  if (last !== '' && Number(last) < start) return null
  return start < bytes ? { start, end } : 'unsatisfiable'
}
