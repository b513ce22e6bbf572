import type { Address } from 'viem'

export type TokenRole = 'stock' | 'stable' | 'wrapped' | 'native' | 'meme' | 'fake' | 'odd'

export type TokenSpec = {
  /** Unique key in the sandbox; symbols are not unique. */
  readonly key: string
  readonly role: TokenRole
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** US dollars per whole token to which its random walk reverts. */
  readonly usd: number
  /** Standard deviation of a day's move: 0.04 = 4 %. */
  readonly dayVolatility: number
}

/** As in the network file; `beacon` is the issuer's own contract. */
export type StockProof = 'beacon' | 'erc8056' | 'erc4626' | 'listed'

export type StockSpec = TokenSpec & {
  readonly role: 'stock'
  readonly proof: StockProof
  /** Key of the stock that a wrapper holds; its `multiplier` is the assets of one token. */
  readonly asset: string | null
  /** Its issuer rescales all balances without transfers. */
  readonly rebasing: boolean
  readonly hasFeed: boolean
  /** Shares per token as a decimal string; other than 1 is announced before trading starts. */
  readonly multiplier: string
  readonly oraclePaused: boolean
  readonly halted: boolean
  /** Announced when the past ends, effective some minutes later; null for none. */
  readonly nextMultiplier: string | null
}

export type Token = {
  readonly spec: TokenSpec
  readonly address: Address
}

export const nativeAddress: Address = '0x0000000000000000000000000000000000000000'

const calm = 0.0004
const crypto = 0.04
const wild = 0.5

type StockOptions = Partial<
  Omit<StockSpec, 'key' | 'role' | 'symbol' | 'name' | 'usd' | 'dayVolatility'>
>

const stock = (
  symbol: string,
  company: string,
  usd: number,
  dayVolatility: number,
  options: StockOptions = {},
): StockSpec => ({
  key: symbol,
  role: 'stock',
  symbol,
  name: `${company} • Sandbox Token`,
  decimals: 18,
  usd,
  dayVolatility,
  proof: 'beacon',
  asset: null,
  rebasing: false,
  hasFeed: true,
  multiplier: '1',
  oraclePaused: false,
  halted: false,
  nextMultiplier: null,
  ...options,
})

/** `usd` is the price of one token: a share's price times the multiplier. */
export const stocks: readonly StockSpec[] = [
  stock('NVDA', 'NVIDIA', 225.4, 0.03),
  stock('AAPL', 'Apple', 268.1, 0.015),
  stock('TSLA', 'Tesla', 412.7, 0.04),
  stock('SPY', 'SPDR S&P 500 ETF', 671.2, 0.01),
  stock('QQQ', 'Invesco QQQ', 605.9, 0.013),
  stock('MSFT', 'Microsoft', 510.3, 0.014),
  stock('AMZN', 'Amazon', 232.6, 0.02),
  stock('GOOGL', 'Alphabet Class A', 285.2, 0.018, { hasFeed: false }),
  stock('META', 'Meta Platforms', 640.8, 0.022),
  stock('AMD', 'AMD', 238.4, 0.035),
  stock('COIN', 'Coinbase', 310.5, 0.045),
  stock('CRWD', 'CrowdStrike', 525.6, 0.025, { multiplier: '4' }),
  stock('SGOV', 'iShares 0-3 Month Treasury Bond ETF', 102.66, 0.0005, {
    hasFeed: false,
    multiplier: '1.0215',
  }),
  stock('PLTR', 'Palantir', 182.9, 0.035, { hasFeed: false, nextMultiplier: '2' }),
  stock('MSTR', 'Strategy', 271.3, 0.05, { oraclePaused: true }),
  stock('GME', 'GameStop', 24.8, 0.05, { hasFeed: false, halted: true }),
  // Of other issuers' standards, with 8 decimals as on Base.
  stock('NFLX', 'Netflix', 1_650.3, 0.02, { proof: 'erc8056', decimals: 8, multiplier: '1.5' }),
  stock('ORCL', 'Oracle', 221.7, 0.02, { proof: 'listed', decimals: 8, hasFeed: false }),
  stock('WORCL', 'Wrapped Oracle', 232.785, 0.02, {
    ...{ proof: 'erc4626', asset: 'ORCL', multiplier: '1.05', hasFeed: false },
  }),
  stock('IBM', 'IBM', 288.4, 0.018, { proof: 'listed', rebasing: true, hasFeed: false }),
]

const token = (
  role: TokenRole,
  [key, symbol, name]: readonly [key: string, symbol: string, name: string],
  decimals: number,
  usd: number,
  dayVolatility: number,
): TokenSpec => ({ key, role, symbol, name, decimals, usd, dayVolatility })

export const etherSpec = token('native', ['ETH', 'ETH', 'Ether'], 18, 2_950, crypto)
export const wethSpec = token('wrapped', ['WETH', 'WETH', 'Wrapped Ether'], 18, 2_950, crypto)
export const usdgSpec = token('stable', ['USDG', 'USDG', 'Global Dollar'], 6, 1, calm)

const meme = (symbol: string, name: string, decimals: number, usd: number): TokenSpec =>
  token('meme', [symbol, symbol, name], decimals, usd, wild)

export const memeTokens: readonly TokenSpec[] = [
  meme('HOODCAT', 'Hood Cat', 18, 0.0042),
  meme('TENDIES', 'Tendies', 18, 0.031),
  meme('STONK', 'Only Up', 9, 0.00071),
  meme('DIAMOND', 'Diamond Hands', 18, 1.7),
  meme('MOON', 'Moonshot', 8, 0.0000052),
  meme('APE', 'Ape Together', 6, 0.12),
  meme('WAGMI', 'We Are All Gonna Make It', 18, 0.0093),
  meme('BRICK', 'Whole Bricks Only', 0, 2.4),
  meme('ROCKET', 'Rocket Launch', 18, 0.00002),
  meme('FAIRLAUNCH', 'Fair Launch', 18, 0.0001),
  meme('TRAP', 'Half Is Fee', 18, 0.5),
]

/** Right-to-left override, zero-width characters, a NUL byte and markup in one symbol. */
const hostileSymbol = '<script>alert(1)</script>\u0000\u202eGDSU\u200b\u200d\ufeff'

/** Tokens with the name and symbol of another token. */
export const fakeTokens: readonly TokenSpec[] = [
  token('fake', ['fake-NVDA', 'NVDA', 'NVIDIA • Sandbox Token'], 18, 0.02, wild),
  token('fake', ['fake-USDG', 'USDG', 'Global Dollar'], 18, 0.4, wild),
]

/** Tokens with malformed metadata. The last two have their own contracts. */
export const malformedTokens: readonly TokenSpec[] = [
  token('odd', ['hostile-symbol', hostileSymbol, `evil\u0000${'x'.repeat(300)}`], 18, 0.8, wild),
  token('odd', ['no-decimals', 'NODEC', 'No Decimals'], 18, 3.2, wild),
  token('odd', ['bytes32-symbol', 'OLD32', 'Old Style'], 18, 0.6, wild),
]

/** ETH and WETH share one price, and so do a wrapper and its asset. */
export const priceKeyOf = (key: string): string =>
  key === 'WETH' ? 'ETH' : (wrapperOf(key)?.asset ?? key)

/** A token in tokens of its price's key: more than 1 for wrappers only. */
export const priceFactorOf = (key: string): number => Number(wrapperOf(key)?.multiplier ?? 1)

const wrapperOf = (key: string): StockSpec | undefined =>
  stocks.find((spec) => spec.key === key && spec.asset !== null)
