import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confusable, createLookAlikes } from './look-alike.ts'

describe('a foreign symbol that could be taken for a ticker', () => {
  it.each([
    ['AAPL', 'AAPL', 'the same'],
    ['aapl', 'AAPL', 'case'],
    [' AAPL ', 'AAPL', 'spaces'],
    ['A A P L', 'AAPL', 'spaces within'],
    ['AA\u200bPL', 'AAPL', 'zero-width space'],
    ['\u202eAAPL', 'AAPL', 'mark of direction'],
    ['AAPL\u{e0041}', 'AAPL', 'invisible tag'],
    ['\u0410\u0410PL', 'AAPL', 'Cyrillic'],
    ['\u0410\u0410\u0420L', 'AAPL', 'more Cyrillic'],
    ['\u0391\u0391\u03a1L', 'AAPL', 'Greek'],
    ['\u13aa\u13aa\u13e2\u13de', 'AAPL', 'Cherokee'],
    ['\uff21\uff21\uff30\uff2c', 'AAPL', 'full-width'],
    ['\u{1d400}\u{1d400}\u{1d40f}\u{1d40b}', 'AAPL', 'mathematical bold'],
    ['\u24b6\u24b6\u24c5\u24c1', 'AAPL', 'circled'],
    ['\u0274\u1d20\u1d05\u1d00', 'NVDA', 'small capitals'],
    ['\u00c1APL', 'AAPL', 'accent'],
    ['A\u0336A\u0336P\u0336L\u0336', 'AAPL', 'struck through'],
    ['$TSLA', 'TSLA', 'cashtag'],
    ['TSLA.', 'TSLA', 'full stop'],
    ['AAP1', 'AAPL', 'digit one for L'],
    ['GO0GL', 'GOOGL', 'digit zero for O'],
    ['lNTC', 'INTC', 'small L for I'],
    ['1NTC', 'INTC', 'digit one for I'],
    ['brk b', 'BRK.B', 'separator'],
    ['\u0440', 'P', 'a ticker of one letter'],
  ])('"%s" shows %s: %s', (symbol, ticker) => {
    expect(confusable(symbol, ticker)).toBe(true)
  })

  it.each([
    ['AAP', 'AAPL'],
    ['AAPLX', 'AAPL'],
    ['wAAPL', 'AAPL'],
    ['AAPI', 'AAPL'],
    ['PLAA', 'AAPL'],
    ['PEPE', 'P'],
    ['', 'AAPL'],
    ['\u200b', 'AAPL'],
    ['...', '.'],
    ['', ''],
  ])('"%s" is not taken for "%s"', (symbol, ticker) => {
    expect(confusable(symbol, ticker)).toBe(false)
  })

  it('is found among all tickers', () => {
    const lookAlike = createLookAlikes(['NVDA', 'F', 'GOOG', 'GOOGL', 'BRK.B'])
    expect(lookAlike('g\u043e\u043egl')).toBe('GOOGL')
    expect(lookAlike('GOOG')).toBe('GOOG')
    expect(lookAlike('BRKB')).toBe('BRK.B')
    expect(lookAlike('constructor')).toBeNull()
  })

  it('tells the registered tickers themselves apart', () => {
    const tickers = [
      'AAPL',
      'ALL',
      'AI',
      'AL',
      'I',
      'L',
      'O',
      'ON',
      'IN',
      'LIN',
      'IIIN',
      'QQQ',
      'V',
    ]
    const lookAlike = createLookAlikes(tickers)
    for (const ticker of tickers) expect(lookAlike(ticker)).toBe(ticker)
  })

  it('is total', () => {
    const codePoints = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
    const text = codePoints.map((all) => String.fromCodePoint(...all))
    fc.assert(fc.property(text, text, (a, b) => typeof confusable(a, b) === 'boolean'))
  })
})
