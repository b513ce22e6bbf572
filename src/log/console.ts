import type { Clock, Logger } from '../ports/runtime.ts'
import { createLogger, type LoggerDeps } from './logger.ts'
import { prettyLine } from './pretty-line.ts'
import { createLogProgress, createTerminalProgress, type Progress } from './progress.ts'
import { createTerminal } from './terminal.ts'

export type OutputStream = {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

export type Console = { readonly logger: Logger; readonly progress: Progress }

const columnsDefault = 80

/** On a terminal: short lines and a live progress line. Elsewhere: JSON lines. */
export const createConsole = (deps: {
  readonly stream: OutputStream
  readonly level: LoggerDeps['level']
  readonly clock: Clock
}): Console => {
  const { stream, level, clock } = deps
  const write = (text: string) => {
    stream.write(text)
  }
  if (stream.isTTY !== true) {
    const logger = createLogger({ level, clock, write })
    return { logger, progress: createLogProgress({ logger, clock }) }
  }
  const terminal = createTerminal({ write, columns: () => stream.columns ?? columnsDefault })
  const logger = createLogger({ level, clock, write: (line) => terminal.line(prettyLine(line)) })
  return { logger, progress: createTerminalProgress({ terminal, clock }) }
}
