import type { IncomingMessage } from 'node:http'

/** RFC 3986 §3.2.2 and §3.2.3: a name or an address, and perhaps a port. It may be empty. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Whether the header Host is there just once and well-formed: else RFC 9112 §3.2 wants a 400. */
export const hasHost = ({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0'
  if (!hostForm.test(host)) return false
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1
}
