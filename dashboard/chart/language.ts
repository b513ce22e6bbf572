/*
 * uPlot creates a number format from the browser's language when it loads, and fails if that is not
 * a language tag: a browser started with LANG=C may report `en-US@posix`.
 */

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** Replaces an invalid browser language by `en-US`. */
export const ensureValidLanguage = (): void => {
  if (isLanguage(navigator.language)) return
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
