/** Text that is known to be HTML; everything else is escaped on its way in. */
export type Html = { readonly html: string }

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

type Piece = Html | string | number | readonly Html[]

const htmlOf = (piece: Piece): string => {
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return 'html' in piece ? piece.html : piece.map((each) => each.html).join('')
}

/** A template whose values can not break out of it. */
export const html = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  html: texts.map((text, at) => text + htmlOf(pieces[at] ?? '')).join(''),
})
