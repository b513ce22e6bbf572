/*
 * A contract's text is untrusted: it may hold line breaks (two lines in a log), NUL (which
 * PostgreSQL refuses), halves of surrogate pairs (no valid UTF-8), marks that turn the direction of
 * the text around it, or nothing but characters that show nothing.
 */

/** Control characters that stand for white space: they part words instead of joining them. */
const controlSpace = /[\t-\r\u0085]/gu

/**
 * What does not show: control and format characters (with all marks of direction and zero-width
 * ones), lone surrogates, private and unassigned code points; characters that a renderer may leave
 * out (Hangul fillers, variation selectors, tags ...); the Braille blank; stand-ins for what could
 * not be shown.
 */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/gu

const whiteSpace = /\s+/gu

/**
 * Text that is safe to store, to log and to show: composed (NFC), visible, on one line, single
 * spaces, without any at its ends, at most `charsMax` code points. Null if nothing is left.
 * Cleaning twice changes nothing. The result is not escaped for HTML or SQL.
 */
export const cleanText = (
  raw: string,
  { charsMax }: { readonly charsMax: number },
): string | null => {
  const visible = raw.replace(controlSpace, ' ').replace(invisible, '')
  const line = visible.normalize('NFC').replace(whiteSpace, ' ').trim()
  const cut = Array.from(line).slice(0, charsMax).join('').trim()
  return cut === '' ? null : cut
}
