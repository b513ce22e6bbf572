import { pino } from 'pino'
import type { Clock, LogFields, Logger } from '../ports/runtime.ts'
import { redactFields, redactUrls } from '../util/redact.ts'

export type LoggerDeps = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly clock: Clock
  /** Receives one JSON object per call, with a line end. */
  readonly write: (line: string) => void
}

const reservedKeys = ['level', 'ts', 'message']

/** A field with a reserved name must not appear twice in the line. */
const renameReserved = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      reservedKeys.includes(key) ? `${key}_` : key,
      value,
    ]),
  )

/** Logs JSON lines `{ level, ts, ...fields, message }`, ts in unix seconds, secrets redacted. */
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
      log[method](renameReserved(redactFields(fields)), redactUrls(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
