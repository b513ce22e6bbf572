import type { CachedResponse } from './response.ts'

/** Responses by request target, valid for one version of the market. */
export type ResponseCache = {
  readonly find: (target: string) => CachedResponse | undefined
  /** The market's version; read it before computing a response. */
  readonly version: () => string
  /** Stores a response that was computed at this version, unless the version has changed. */
  readonly store: (target: string, response: CachedResponse, version: string) => void
}

const responsesMax = 512
/** Compressed variants add about half as much again. */
const bytesMax = 32 * 1024 * 1024

/**
 * `readVersion` must change whenever any response may: with the store's revision, and every second,
 * because ages and statuses are computed when they are read.
 */
export const createResponseCache = (readVersion: () => string): ResponseCache => {
  const responses = new Map<string, CachedResponse>()
  let bytes = 0
  let current = ''

  const clear = (): void => {
    responses.clear()
    bytes = 0
  }

  const refresh = (): string => {
    const version = readVersion()
    if (version !== current) clear()
    current = version
    return version
  }

  return {
    find: (target) => {
      refresh()
      return responses.get(target)
    },
    version: readVersion,
    store: (target, response, version) => {
      if (refresh() !== version || response.bytes > bytesMax) return
      if (responses.size >= responsesMax || bytes + response.bytes > bytesMax) clear()
      responses.set(target, response)
      bytes += response.bytes
    },
  }
}
