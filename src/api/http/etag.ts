import { hash } from 'node:crypto'

/** 132 bits: two bodies of one tag will not be met. */
const tagLength = 22

/** A strong validator: the same tag means the same bytes. */
export const etagOf = (body: string | Buffer): string =>
  `"${hash('sha256', body, 'base64url').slice(0, tagLength)}"`

const entityTag = /(?:W\/)?("[\x21\x23-\x7e]*")/g

/** Whether If-None-Match names the tag: `*`, or a list, compared weakly (RFC 9110 §13.1.2). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(entityTag)].some(([, tag]) => tag === etag)
}
