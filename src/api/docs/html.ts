/** Trusted HTML; the template escapes everything else. */
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

type Value = Html | string | number | readonly Html[]

const toHtml = (value: Value): string => {
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return 'html' in value ? value.html : value.map((part) => part.html).join('')
}

/** A template tag that escapes its values. */
export const html = (texts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: texts.map((text, index) => text + toHtml(values[index] ?? '')).join(''),
})
