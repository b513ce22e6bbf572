/*
 * Whoever deploys a token chooses its symbol: on one chain eighteen contracts call themselves NVDA.
 * Identity is the address; this only tells which foreign symbols a reader could take for a ticker.
 */

/**
 * Letters of other scripts, and small capitals, that look like a Latin capital or its small form
 * (a choice from Unicode's confusables: Cyrillic, Greek, Cherokee, Lisu, Armenian). Full-width,
 * circled and mathematical letters need no row: compatibility decomposition makes them Latin.
 */
const shapes: Readonly<Record<string, string>> = {
  A: '\u0410\u0430\u0391\u03b1\u13aa\u1d00\ua4ee',
  B: '\u0412\u0432\u0392\u13f4\u0299\ua4d0',
  C: '\u0421\u0441\u03c2\u13df\u1d04\ua4da',
  D: '\u0501\u13a0\u1d05\ua4d3',
  E: '\u0415\u0435\u0395\u13ac\u1d07\ua4f0',
  F: '\u03dc\ua730\ua4dd',
  G: '\u050c\u13c0\u0262\ua4d6',
  H: '\u041d\u043d\u0397\u13bb\u029c\ua4e7',
  I: '\u0406\u0456\u04c0\u0399\u03b9\u0131\u026a\ua4f2',
  J: '\u0408\u0458\u13ab\u1d0a\ua4d9',
  K: '\u041a\u043a\u039a\u03ba\u13e6\u1d0b\ua4d7',
  L: '\u13de\u029f\ua4e1',
  M: '\u041c\u043c\u039c\u13b7\u1d0d\ua4df',
  N: '\u039d\u0274\ua4e0',
  O: '0\u041e\u043e\u039f\u03bf\u0555\u1d0f\ua4f3',
  P: '\u0420\u0440\u03a1\u03c1\u13e2\u1d18\ua4d1',
  Q: '\u051a\u051b',
  R: '\u13a1\u13d2\u0280\ua4e3',
  S: '\u0405\u0455\u13da\ua731\ua4e2',
  T: '\u0422\u0442\u03a4\u03c4\u13a2\u1d1b\ua4d4',
  U: '\u054d\u03c5\u1d1c\ua4f4',
  V: '\u0474\u0475\u03bd\u13d9\u1d20\ua4e6',
  W: '\u051c\u051d\u13b3\u1d21\ua4ea',
  X: '\u0425\u0445\u03a7\u03c7\ua4eb',
  Y: '\u04ae\u04af\u0423\u0443\u03a5\u03b3\u028f\ua4ec',
  Z: '\u0396\u13c3\u1d22\ua4dc',
}

const latinByShape = new Map(
  Object.entries(shapes).flatMap(([latin, looks]) => Array.from(looks, (look) => [look, latin])),
)

/** A small L and the digit one look like L to some, like a capital I to others: both are tried. */
const readings: readonly ReadonlyMap<string, string>[] = [
  new Map([
    ['l', 'L'],
    ['1', 'I'],
  ]),
  new Map([
    ['l', 'I'],
    ['1', 'L'],
  ]),
]

const notLetterOrDigit = /[^\p{L}\p{N}]/gu

/**
 * The capitals and digits that a text shows, in one reading: without accents, spaces, punctuation
 * and whatever does not show.
 */
const shownIn = (text: string, reading: ReadonlyMap<string, string>): string => {
  const characters = Array.from(text.normalize('NFKD').replace(notLetterOrDigit, ''))
  const latin = characters.map((look) => reading.get(look) ?? latinByShape.get(look) ?? look)
  return latin.join('').toUpperCase()
}

const shown = (text: string): readonly string[] => [
  ...new Set(readings.map((reading) => shownIn(text, reading))),
]

/**
 * For the symbol of a token that is not in the registry: the registered ticker that it could be
 * taken for, the very same included, or null. For warnings, never for identity.
 */
export const createLookAlikes = (
  tickers: readonly string[],
): ((symbol: string) => string | null) => {
  const tickerByShown = new Map<string, string>()
  for (const ticker of tickers)
    for (const text of shown(ticker))
      if (text !== '' && !tickerByShown.has(text)) tickerByShown.set(text, ticker)
  return (symbol) =>
    shown(symbol)
      .map((text) => tickerByShown.get(text))
      .find((ticker) => ticker !== undefined) ?? null
}

/** Whether a reader could take the symbol for the ticker. */
export const confusable = (symbol: string, ticker: string): boolean =>
  createLookAlikes([ticker])(symbol) !== null
