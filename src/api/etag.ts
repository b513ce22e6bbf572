import { hash } from 'node:crypto'

/** A strong validator: the same tag means the same bytes. A digest for equality, not for secrecy. */
export const etagOf = (body: string): string => `"${hash('sha1', body, 'base64url')}"`

const entityTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g

/** Whether If-None-Match names the tag: `*`, or a list, compared weakly (RFC 9110 §13.1.2). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(entityTag)].some(([, tag]) => tag === etag)
}
