const faultTexts: Readonly<Record<string, string>> = {
  ABORT_ERR: 'was stopped',
  EACCES: 'cannot be used: permission denied',
  EDQUOT: 'has no room left: the quota of its disk is used up',
  EEXIST: 'cannot be used: a file is in its place',
  EFBIG: 'grows beyond the largest file allowed',
  EISDIR: 'is a folder',
  ENOENT: 'does not exist',
  ENOSPC: 'has no room left on its disk',
  ENOTDIR: 'cannot be used: a file is in the place of a folder',
  EPIPE: 'was closed by its reader',
  EROFS: 'cannot be used: its disk is read-only',
  Z_BUF_ERROR: 'ends too early: a part of it is missing',
  Z_DATA_ERROR: 'is damaged: it cannot be decompressed',
}

/**
 * Describes an error of a file or a stream, to follow its name; rethrows everything else, which is
 * a bug.
 */
export const describeFileFault = (error: unknown): string => {
  if (!(error instanceof Error && 'code' in error)) throw error
  const code = String(error.code)
  const known = faultTexts[code]
  if (known !== undefined) return known
  if ('syscall' in error) return `cannot be used (${code})`
  throw error
}
