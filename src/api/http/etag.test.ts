import { describe, expect, it } from 'vitest'
import { computeEtag } from './response.ts'
import { matchesEtag } from './send-response.ts'

describe('an entity tag', () => {
  it('is strong and differs for different bytes', () => {
    expect(computeEtag('{"a":1}')).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    expect(computeEtag('{"a":1}')).toBe(computeEtag('{"a":1}'))
    expect(computeEtag('{"a":1}')).not.toBe(computeEtag('{"a":2}'))
  })
})

describe('If-None-Match against "abc"', () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"x",W/"abc","y"', true],
    ['"x,y", "abc"', true],
    ['*', true],
    [' * ', true],
    ['"ABC"', false],
    ['abc', false],
    ['"ab"', false],
    ['""', false],
    ['w/"x"', false],
    ['"x, abc"', false],
    ['', false],
    [undefined, false],
  ])('%j: %s', (ifNoneMatch, matches) => {
    expect(matchesEtag(ifNoneMatch, '"abc"')).toBe(matches)
  })
})
