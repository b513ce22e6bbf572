/** Ends each text that a token is searched by. No text that was cleaned for display has it. */
export const textEnd = '\u0000'

/** Hexadecimal digits of a head, the fewest that are searched for. */
export const headDigits = 4

/** The first digits after `0x` as a number: comparing it passes over all but a few texts. */
export const headOf = (hex: string): number => Number.parseInt(hex.slice(2, 2 + headDigits), 16)

/** How texts are compared: without case, composed. */
export const searchable = (text: string): string => text.normalize('NFC').toLowerCase()
