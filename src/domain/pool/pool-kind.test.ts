import { describe, expect, test } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-inputs.ts'
import { classifyPool, isReferencePool, type TokenRoles } from './pool-kind.ts'

const { native, nvda, tsla, usdg, weth, meme } = tokens
const trusted: readonly string[] = [native, usdg, weth]
const roles: TokenRoles = {
  isStock: (address) => address === nvda || address === tsla,
  isTrusted: (address) => trusted.includes(address),
}

describe('the kind of a pool by its tokens (methodology §1)', () => {
  test.each([
    ['a stock and a dollar', nvda, usdg, { kind: 'canonical', stockIsToken0: true }],
    ['the other way round', usdg, nvda, { kind: 'canonical', stockIsToken0: false }],
    ['wrapped ether', weth, nvda, { kind: 'canonical', stockIsToken0: false }],
    ['native ether, always token0', native, nvda, { kind: 'canonical', stockIsToken0: false }],
    ['a meme', nvda, meme, { kind: 'meme', stockIsToken0: true }],
    ['a meme first', meme, nvda, { kind: 'meme', stockIsToken0: false }],
    ['two stocks: token0 is the stock', tsla, nvda, { kind: 'stock-stock', stockIsToken0: true }],
    ['and whichever comes first', nvda, tsla, { kind: 'stock-stock', stockIsToken0: true }],
    ['no stock', usdg, weth, null],
    ['no stock either', meme, usdg, null],
  ] as const)('%s', (_, token0, token1, sides) => {
    expect(classifyPool({ token0, token1 }, roles)).toEqual(sides)
  })

  test('grows with the list of stocks: a meme pool may become one of two stocks', () => {
    const more = { ...roles, isStock: (address: string) => address !== usdg }
    expect(classifyPool({ token0: nvda, token1: meme }, more)?.kind).toBe('stock-stock')
  })
})

test.each([
  ['two trusted tokens', usdg, weth, true],
  ['a stock and a trusted one', nvda, usdg, false],
  ['a meme and a trusted one', meme, weth, false],
] as const)('is it only of use for prices? %s: %s', (_, token0, token1, expected) => {
  expect(isReferencePool({ token0, token1 }, roles)).toBe(expected)
})
