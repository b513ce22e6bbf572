const shownCharactersMax = 60

/** Somebody's text as part of a one-line message: in quotes, shortened, controls escaped. */
export const quoteText = (text: string): string =>
  JSON.stringify(
    text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text,
  ).replace(/[\u007f-\u009f\u2028\u2029]/g, '?')
