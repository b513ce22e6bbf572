import {
  sqrtPriceMaxX96 as sqrtPriceMax,
  sqrtPriceMinX96 as sqrtPriceMin,
} from '../../src/domain/math/tick-math.ts'
import type { Address, Hex } from '../../src/domain/units.ts'
import type { RawLog } from '../support/domain/sample-chain.ts'
import { tokens } from '../support/domain/sample-market.ts'
import { createSamplePool, logOf, manager, sender } from '../support/domain/sample-pool.ts'
import { uniswapV4Fixture } from '../support/domain/uniswap-v4-fixture.ts'
import { contractOf, encode, returned, reverted } from '../support/indexer/market.ts'
import type { Random } from './random.ts'
import type { Answering } from './sim-contracts.ts'

const utf8 = (text: string): Hex => `0x${Buffer.from(text).toString('hex')}`
const wordsOf = (...values: readonly (bigint | string)[]): Hex =>
  `0x${values
    .map((value) =>
      typeof value === 'string' ? value.padEnd(64, '0') : value.toString(16).padStart(64, '0'),
    )
    .join('')}`

/** ABI bytes that are no valid text. */
const rawText = (hex: string): Hex => wordsOf(32n, BigInt(hex.length / 2), hex)

/** What a token may say of itself: each spoils at most its own row. */
const evils = {
  longSymbol: { symbol: () => rawText('41'.repeat(200_000)), decimals: wordsOf(18n) },
  reverting: { symbol: null, decimals: null },
  absurdDecimals: { symbol: () => encode('string', 'ABS'), decimals: wordsOf((1n << 256n) - 1n) },
  manyDecimals: { symbol: () => encode('string', 'M255'), decimals: wordsOf(255n) },
  bytes32: { symbol: () => wordsOf(utf8('MKR').slice(2)), decimals: wordsOf(18n) },
  invalidUtf8: { symbol: () => rawText('c328a0a1fffe'), decimals: wordsOf(18n) },
  nul: { symbol: () => encode('string', 'A\0B\0'), decimals: wordsOf(18n) },
  bidi: { symbol: () => encode('string', '‮LPAA‬​'), decimals: wordsOf(6n) },
  script: { symbol: () => encode('string', '<script>alert(1)</script>'), decimals: '0x01' },
  lookalike: { symbol: () => encode('string', 'AAPL'), decimals: wordsOf(18n) },
} as const satisfies Record<
  string,
  { readonly symbol: (() => Hex) | null; readonly decimals: Hex | null }
>

const names = Object.keys(evils) as (keyof typeof evils)[]

export const evilToken = (at: number): Address =>
  `0x${'7'.repeat(32)}${(at + 1).toString(16).padStart(8, '0')}`

/** The contracts of the hostile tokens. */
export const hostileContracts: Answering = (to, data, at) => {
  const name = names.find((_, index) => evilToken(index) === to)
  if (name === undefined) return undefined
  const { symbol, decimals } = evils[name]
  const text = () => (symbol === null ? reverted : returned(symbol()))
  return contractOf({
    'symbol()': text,
    'name()': text,
    'decimals()': () => (decimals === null ? reverted : returned(decimals)),
  })(data, at.anchor.block)
}

const swapDeclaration = uniswapV4Fixture.declarations.find((each) =>
  each.startsWith('event Swap('),
) as string

/** A pool with a hook that may ask another fee for each swap (dynamic fee, v4). */
const dynamicFee = 0x80_0000
const hooks: Address = `0x${'0'.repeat(36)}00c0`

const prices = [0n, sqrtPriceMin, sqrtPriceMax - 1n, sqrtPriceMax, 1n << 96n]
const liquidities = [0n, 1n, (1n << 128n) - 1n]

/**
 * A hostile token's pool with a stock, and events that no honest pool would emit. `place`
 * distinguishes pools of the same token: a pool is created once.
 */
export const hostileLogs = (
  random: Random,
  { token, place }: { readonly token: number; readonly place: number },
): readonly RawLog[] => {
  const logs: RawLog[] = []
  const key = { token0: tokens.apple, token1: evilToken(token), fee: dynamicFee, hooks }
  const pool = createSamplePool((log) => logs.push(log), 'v4', { ...key, tickSpacing: place })
  pool.create(random.percent(50) ? 1n << 96n : sqrtPriceMin)
  for (let swaps = random.between(0, 3); swaps > 0; swaps--) {
    const amounts = { amount0: -(1n << 127n), amount1: (1n << 127n) - 1n }
    const state = { sqrtPriceX96: random.pick(prices), liquidity: random.pick(liquidities) }
    const fee = random.between(0, 1_000_000)
    const args = {
      id: pool.id,
      sender,
      ...amounts,
      ...state,
      tick: random.pick([-887_272, 0]),
      fee,
    }
    logs.push(logOf(manager, swapDeclaration, args))
  }
  return logs
}

export const evilTokens = names.length
