const absoluteForm = /^https?:\/\/[^/?#]*/i

const isDecodable = (path: string): boolean => {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}

/** The path of a request target, undecoded. */
export const targetPath = (target: string): string => target.split('?', 1)[0] ?? ''

/** The raw query of a request target, without its question mark. */
export const targetQuery = (target: string): string => target.slice(targetPath(target).length + 1)

/**
 * Makes a request target safe for the router. Absolute form is handled like origin form (RFC 9112
 * §3.2.2). A path that cannot be decoded is taken literally and matches no route.
 */
export const routableTarget = (target: string): string => {
  const local = target.replace(absoluteForm, '').replaceAll('#', '%23')
  const rooted = local.startsWith('/') ? local : `/${local}`
  const path = targetPath(rooted)
  if (!path.includes('%') || isDecodable(path)) return rooted
  return path.replaceAll('%', '%25') + rooted.slice(path.length)
}
