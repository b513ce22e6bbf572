import { hash } from 'node:crypto'

/** 48 bits: a cut or mixed up cursor is found, which is all that is needed. */
const tagLength = 8
const cursorLengthMax = 256
const cursorPattern = /^[A-Za-z0-9_-]+$/

export const cursorSchema = { maxLength: cursorLengthMax, pattern: cursorPattern.source }

export const isCursorText = (text: string): boolean =>
  text.length <= cursorLengthMax && cursorPattern.test(text)

const tagOf = (scope: readonly string[], payload: string): string =>
  hash('sha256', JSON.stringify([scope, payload]), 'base64url').slice(0, tagLength)

/** Writes where a list continues. `scope` names the list, so that no other one takes the cursor. */
export const encodeCursor = (scope: readonly string[], payload: string): string =>
  tagOf(scope, payload) + Buffer.from(payload).toString('base64url')

/** Returns the payload; undefined for a cursor that is cut, changed or of another list. */
export const decodeCursor = (scope: readonly string[], text: string): string | undefined => {
  const payload = Buffer.from(text.slice(tagLength), 'base64url').toString()
  return encodeCursor(scope, payload) === text ? payload : undefined
}
