import type { UnixSeconds } from '../domain/units.ts'

/** The only source of the current time. */
export type Clock = { readonly now: () => UnixSeconds }

export type LogFields = Readonly<Record<string, unknown>>

export type Logger = {
  readonly debug: (message: string, fields?: LogFields) => void
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}
