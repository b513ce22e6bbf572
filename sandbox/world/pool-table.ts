import type { VenueName } from './venues.ts'

export type HookName = 'dynamic-fee' | 'returns-delta'

/**
 * Distribution of liquidity: `deep` is seven ranges, `shallow` a full range and a narrower one,
 * `one-sided` token a only, beside the price, `off-price` two ranges with the price between them.
 */
export type PoolShape = 'deep' | 'shallow' | 'one-sided' | 'off-price' | 'none'

export type PoolStart = 'market' | 'min-bound' | 'max-bound' | 'uninitialised'

export type PoolSpec = {
  readonly version: 'v3' | 'v4'
  readonly venue: VenueName
  /** Token keys; which becomes token0 depends on the addresses. */
  readonly a: string
  readonly b: string
  readonly fee: number
  readonly tickSpacing: number
  readonly hook: HookName | null
  readonly shape: PoolShape
  readonly start: PoolStart
  readonly depthUsd: number
  /** Relative share of all trades; 0 = no trades. */
  readonly flow: number
  /** When it is created and drained, as a share of the past (0 = start, 1 = now). */
  readonly bornAt: number
  readonly drainedAt: number | null
  /** Labels by which tests find it. */
  readonly roles: readonly string[]
}

const dynamicFee = 0x80_0000

type Extra = Partial<
  Pick<PoolSpec, 'venue' | 'hook' | 'shape' | 'start' | 'flow' | 'bornAt' | 'drainedAt' | 'roles'>
>

/** Of Uniswap v3 and, with 2500 instead of 3000, of PancakeSwap v3. */
const v3Spacing: Readonly<Record<number, number>> = {
  ...{ 100: 1, 500: 10, 2500: 50, 3000: 60, 10000: 200 },
}

export function v3(
  a: string,
  b: string,
  fee: number,
  depthUsd: number,
  extra: Extra = {},
): PoolSpec {
  return make('v3', a, b, fee, v3Spacing[fee] ?? 60, depthUsd, extra)
}

/** Algebra's factory gives each pool its default fee and tick spacing. */
function algebraPool(a: string, b: string, depthUsd: number, extra: Extra): PoolSpec {
  return make('v3', a, b, 500, 60, depthUsd, extra)
}

type V4Fee = readonly [fee: number, tickSpacing: number]

export function v4(
  a: string,
  b: string,
  fee: V4Fee,
  depthUsd: number,
  extra: Extra = {},
): PoolSpec {
  return make('v4', a, b, ...fee, depthUsd, extra)
}

function make(
  version: 'v3' | 'v4',
  a: string,
  b: string,
  fee: number,
  tickSpacing: number,
  depthUsd: number,
  extra: Extra,
): PoolSpec {
  return {
    ...{ version, a, b, fee, tickSpacing, depthUsd },
    venue: version === 'v3' ? 'Uniswap v3' : 'Uniswap v4',
    ...{ hook: null, start: 'market', bornAt: 0, drainedAt: null, roles: [] },
    shape: depthUsd >= 100_000 ? 'deep' : 'shallow',
    flow: Math.max(0.8, Math.min(10, depthUsd / 100_000)),
    ...extra,
  }
}

const reference: Extra = { roles: ['reference'] }
const dynamic: Extra = { hook: 'dynamic-fee', roles: ['dynamic-fee'] }
const returnsDelta: Extra = { hook: 'returns-delta', roles: ['returns-delta-hook'] }
const untouched: Extra = { shape: 'none', flow: 0 }

const referencePools: readonly PoolSpec[] = [
  v3('WETH', 'USDG', 500, 3_000_000, reference),
  v3('WETH', 'USDG', 3000, 400_000, reference),
  v4('ETH', 'USDG', [500, 10], 1_500_000, reference),
]

const canonicalV3: readonly PoolSpec[] = [
  v3('NVDA', 'USDG', 500, 2_000_000, { roles: ['protocol-fee'] }),
  v3('NVDA', 'USDG', 100, 180_000),
  v3('AAPL', 'USDG', 500, 900_000),
  v3('TSLA', 'USDG', 500, 1_200_000),
  v3('SPY', 'USDG', 500, 1_600_000),
  v3('QQQ', 'USDG', 3000, 700_000),
  v3('MSFT', 'USDG', 3000, 400_000),
  v3('AMZN', 'USDG', 3000, 350_000),
  v3('GOOGL', 'USDG', 500, 450_000),
  v3('META', 'USDG', 3000, 300_000),
  v3('AMD', 'USDG', 3000, 280_000),
  v3('COIN', 'USDG', 3000, 220_000),
  v3('CRWD', 'USDG', 3000, 150_000, { roles: ['multiplier'] }),
  v3('SGOV', 'USDG', 100, 250_000, { roles: ['multiplier'] }),
  v3('PLTR', 'USDG', 3000, 200_000, { roles: ['multiplier-pending'] }),
  v3('MSTR', 'USDG', 3000, 120_000, { roles: ['oracle-paused'] }),
  v3('GME', 'USDG', 10000, 60_000, { roles: ['halted'] }),
  v3('NVDA', 'WETH', 3000, 260_000),
  v3('TSLA', 'WETH', 3000, 120_000, { roles: ['wash-ring'] }),
  v3('AAPL', 'WETH', 10000, 15_000, { bornAt: 0.4 }),
  v3('NFLX', 'USDG', 3000, 180_000, { roles: ['standard'] }),
  v3('ORCL', 'USDG', 3000, 140_000, { roles: ['standard'] }),
  v3('WORCL', 'USDG', 3000, 130_000, { roles: ['standard'] }),
  v3('IBM', 'USDG', 3000, 125_000, { flow: 0, roles: ['rebasing'] }),
]

const canonicalV4: readonly PoolSpec[] = [
  v4('NVDA', 'USDG', [3000, 60], 500_000),
  v4('SPY', 'USDG', [3000, 60], 300_000, { roles: ['protocol-fee'] }),
  v4('AAPL', 'USDG', [8800, 176], 20_000),
  v4('TSLA', 'ETH', [3000, 60], 250_000),
  v4('NVDA', 'ETH', [500, 10], 110_000, { roles: ['wash-flash'] }),
  v4('GOOGL', 'USDG', [dynamicFee, 60], 400_000, dynamic),
  v4('QQQ', 'ETH', [dynamicFee, 10], 40_000, dynamic),
  v4('META', 'USDG', [3000, 60], 120_000, returnsDelta),
  v4('AMD', 'USDG', [0, 200], 15_000, { roles: ['fee-zero'] }),
  v4('COIN', 'USDG', [50_000, 1_000], 8_000),
  v4('MSFT', 'WETH', [20_000, 400], 12_000),
  v4('SPY', 'USDG', [100_000, 200], 400_000, { flow: 0.2, roles: ['high-fee'] }),
]

const fork: Extra = { venue: 'Fork v3' }

/** The first has tokens and fee of a pool of Uniswap v3. */
const forkPools: readonly PoolSpec[] = [
  v3('COIN', 'USDG', 3000, 160_000, fork),
  v3('AMD', 'USDG', 500, 110_000, fork),
  v3('SPY', 'WETH', 3000, 70_000, { ...fork, roles: ['wash-ping-pong'] }),
]

const pancake: Extra = { venue: 'PancakeSwap v3' }

/** The second has tokens and fee of a pool of Uniswap v3. */
const pancakePools: readonly PoolSpec[] = [
  v3('TSLA', 'USDG', 2500, 190_000, pancake),
  v3('NVDA', 'USDG', 500, 240_000, pancake),
]

/** Slipstream has a pool for each tick spacing, and its fee is in no key. */
const slipstream = (a: string, b: string, tickSpacing: number, depthUsd: number): PoolSpec =>
  make('v3', a, b, dynamicFee, tickSpacing, depthUsd, { venue: 'Slipstream' })

const slipstreamPools: readonly PoolSpec[] = [
  slipstream('NVDA', 'USDG', 100, 210_000),
  slipstream('AAPL', 'WETH', 200, 60_000),
]

const algebra: Extra = { venue: 'Algebra Integral' }

/** With the factory's fee and tick spacing. The second has the tokens of the first. */
const algebraPools: readonly PoolSpec[] = [
  algebraPool('NVDA', 'USDG', 230_000, algebra),
  algebraPool('NVDA', 'USDG', 90_000, { ...algebra, roles: ['custom-pool'] }),
  algebraPool('AAPL', 'USDG', 150_000, { ...algebra, roles: ['fee-changes'] }),
]

const stockStock: readonly PoolSpec[] = [
  v4('AMD', 'SPY', [3000, 60], 80_000),
  v4('NVDA', 'SPY', [500, 10], 60_000),
  v4('PLTR', 'SPY', [10_000, 200], 10_000),
  v3('TSLA', 'QQQ', 3000, 90_000, { roles: ['wash-round-trip'] }),
  v3('CRWD', 'NVDA', 10000, 20_000),
]

const memePools: readonly PoolSpec[] = [
  v3('HOODCAT', 'NVDA', 10000, 30_000),
  v3('DIAMOND', 'GME', 10000, 9_000, { bornAt: 0.5 }),
  v3('BRICK', 'AMZN', 10000, 6_000),
  v4('TENDIES', 'TSLA', [10_000, 200], 25_000),
  v4('STONK', 'SPY', [0, 200], 12_000, { roles: ['fee-zero'] }),
  v4('MOON', 'NVDA', [dynamicFee, 8], 15_000, dynamic),
  v4('APE', 'AMD', [48_500, 970], 3_000),
  v4('WAGMI', 'SPY', [3000, 60], 5_000, { ...returnsDelta, bornAt: 0.8 }),
  v4('TRAP', 'NVDA', [500_000, 60], 4_000, { flow: 0.1, roles: ['trap-fee'] }),
]

const edgePools: readonly PoolSpec[] = [
  v4('ROCKET', 'NVDA', [10_000, 200], 20_000, {
    ...{ shape: 'one-sided', flow: 0, bornAt: 0.9, roles: ['one-sided'] },
  }),
  v3('FAIRLAUNCH', 'TSLA', 10000, 100_000, {
    ...{ shape: 'one-sided', flow: 0, bornAt: 0.7, roles: ['one-sided'] },
  }),
  v3('AMZN', 'WETH', 3000, 50_000, { drainedAt: 0.6, roles: ['emptied'] }),
  v4('META', 'ETH', [3000, 60], 30_000, { drainedAt: 0.75, roles: ['emptied'] }),
  v3('COIN', 'WETH', 3000, 20_000, { shape: 'off-price', flow: 0, roles: ['off-price'] }),
  v3('AMZN', 'USDG', 10000, 0, { ...untouched, start: 'max-bound', roles: ['at-bound'] }),
  v4('MSFT', 'USDG', [10_000, 200], 0, { ...untouched, start: 'min-bound', roles: ['at-bound'] }),
  v3('AMD', 'USDG', 100, 0, { ...untouched, start: 'uninitialised', roles: ['uninitialised'] }),
  v3('GOOGL', 'WETH', 3000, 0, { ...untouched, roles: ['never-funded'] }),
]

const strangerPools: readonly PoolSpec[] = [
  v3('fake-NVDA', 'TSLA', 10000, 6_000, { roles: ['fake-nvda'] }),
  v4('fake-NVDA', 'USDG', [3000, 60], 8_000, { roles: ['fake-nvda', 'not-ours'] }),
  v3('fake-USDG', 'NVDA', 3000, 9_000, { roles: ['fake-usdg'] }),
  v4('fake-USDG', 'SPY', [10_000, 200], 5_000, { roles: ['fake-usdg'] }),
  v3('hostile-symbol', 'NVDA', 10000, 4_000, { roles: ['hostile-symbol'] }),
  v3('no-decimals', 'SPY', 10000, 4_000, { roles: ['no-decimals'] }),
  v4('bytes32-symbol', 'AAPL', [10_000, 200], 4_000, { roles: ['bytes32-symbol'] }),
  v3('HOODCAT', 'USDG', 10000, 5_000, { roles: ['not-ours'] }),
]

export const poolTable: readonly PoolSpec[] = [
  ...referencePools,
  ...canonicalV3,
  ...canonicalV4,
  ...forkPools,
  ...pancakePools,
  ...slipstreamPools,
  ...algebraPools,
  ...stockStock,
  ...memePools,
  ...edgePools,
  ...strangerPools,
]
