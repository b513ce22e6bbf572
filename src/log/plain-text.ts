/**
 * Text of strangers on one line and without anything that a terminal or a reader could take for
 * an instruction: no controls, no ANSI escapes, no bidirectional overrides.
 */
export const plainText = (text: string): string =>
  text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\u00b7')
