import type { LogFields, Logger } from '../../../src/ports/runtime.ts'

type Line = { readonly level: keyof Logger; readonly message: string; readonly fields?: LogFields }

/** A logger that remembers. */
export const createJournal = () => {
  const lines: Line[] = []
  const noteAs = (level: keyof Logger) => (message: string, fields?: LogFields) => {
    lines.push(fields === undefined ? { level, message } : { level, message, fields })
  }
  const logger: Logger = {
    debug: noteAs('debug'),
    info: noteAs('info'),
    warn: noteAs('warn'),
    error: noteAs('error'),
  }
  return {
    logger,
    of: (level: keyof Logger) => lines.filter((line) => line.level === level),
    count: (message: string) => lines.filter((line) => line.message === message).length,
  }
}
