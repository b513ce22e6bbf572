import { pino } from 'pino'
import type { Clock, LogFields, Logger } from '../ports/runtime.ts'
import { redactFields, redactUrls } from '../util/redact.ts'

export type LoggerDeps = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly clock: Clock
  /** Takes one JSON object on one line, with the line's end. */
  readonly write: (line: string) => void
}

const ownKeys = ['level', 'ts', 'message']

/** A field that has the name of one of ours must not stand twice in the line. */
const outOfOurWay = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [ownKeys.includes(key) ? `${key}_` : key, value]),
  )

/** Logs JSON lines `{ level, ts, ...fields, message }`, ts in unix seconds, free of secrets. */
export const createLogger = ({ level, clock, write }: LoggerDeps): Logger => {
  const log = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"ts":${clock.now()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  )
  const at =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      if (!log.isLevelEnabled(method)) return
      log[method](outOfOurWay(redactFields(fields)), redactUrls(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
