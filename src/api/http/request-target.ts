const absoluteForm = /^https?:\/\/[^/?#]*/i

const isDecodable = (path: string): boolean => {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}

/**
 * The request target as the router can read it, whatever came over the wire. Absolute form is
 * answered like origin form (RFC 9112 §3.2.2). What can not be decoded, and what is no path at all,
 * is taken literally: it then names nothing that exists.
 */
export const routableTarget = (target: string): string => {
  const local = target.replace(absoluteForm, '').replaceAll('#', '%23')
  const rooted = local.startsWith('/') ? local : `/${local}`
  const queryAt = rooted.indexOf('?')
  const path = queryAt === -1 ? rooted : rooted.slice(0, queryAt)
  if (!path.includes('%') || isDecodable(path)) return rooted
  return path.replaceAll('%', '%25') + rooted.slice(path.length)
}

/** The path of a target, as it came. */
export const pathOf = (target: string): string => {
  const queryAt = target.indexOf('?')
  return queryAt === -1 ? target : target.slice(0, queryAt)
}
