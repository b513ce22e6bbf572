import { failure, success } from '../../../src/domain/outcome.ts'
import type { HttpClient } from '../../../src/net/http-client.ts'
import type { Logger } from '../../../src/ports/runtime.ts'
import {
  type ChainReaderDeps,
  createChainReader,
  type RpcChainReader,
} from '../../../src/rpc/chain-reader.ts'
import { createPatientHttpClient } from '../net/loopback.ts'
import { createManualTimer, type ManualTimer } from '../net/timer.ts'

/** A logger that stores its lines. */
export const createMemoryLogger = (): Logger & { readonly lines: readonly string[] } => {
  const lines: string[] = []
  const keep =
    (level: string): Logger['info'] =>
    (message, fields) => {
      lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`)
    }
  return {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    lines,
  }
}

/** Whole answers to some requests never come in time; the deadline passes at once. */
export const createLate = (isLate: (body: string) => boolean): HttpClient => {
  const httpClient = createPatientHttpClient()
  return async (request) =>
    isLate(request.body ?? '')
      ? failure({ kind: 'timeout', detail: 'response timed out' })
      : httpClient(request)
}

/** The logs of a range alone. */
export const logsOf = async (
  { readRange }: Pick<RpcChainReader, 'readRange'>,
  ...question: Parameters<RpcChainReader['readRange']>
) => {
  const read = await readRange(...question)
  return read.ok ? success(read.value.logs) : read
}

export type TestReader = {
  readonly reader: RpcChainReader
  readonly timer: ManualTimer
  readonly lines: readonly string[]
}

/** A chain reader over real HTTP whose waits take no time. */
export const createTestReader = (
  urls: readonly string[],
  over: Partial<ChainReaderDeps> = {},
): TestReader => {
  const timer = createManualTimer()
  const logger = createMemoryLogger()
  const reader = createChainReader({
    urls,
    chainId: 4663,
    multicall3: null,
    finality: 'finalized',
    httpClient: createPatientHttpClient(),
    timer,
    random: () => 0,
    logger,
    ...over,
  })
  return { reader, timer, lines: logger.lines }
}
