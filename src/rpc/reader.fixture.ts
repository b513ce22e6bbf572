import { createOutbound } from '../net/outbound.ts'
import { createManualTimer, type ManualTimer } from '../net/timer.fixture.ts'
import type { Logger } from '../ports/process.ts'
import { type ChainReaderDeps, createChainReader, type RpcChainReader } from './chain-reader.ts'

/** A logger that keeps what it is told. */
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
    outbound: createOutbound(),
    timer,
    random: () => 0,
    logger,
    ...over,
  })
  return { reader, timer, lines: logger.lines }
}
