/*
 * The chart library makes a number format of the browser's language when it loads, and fails where
 * that is no language tag: a browser that was started with LANG=C may name it `en-US@posix`.
 */

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** Lets the page have a language that formats can be made of; one that is valid stays. */
export const giveLanguage = (): void => {
  if (isLanguage(navigator.language)) return
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
