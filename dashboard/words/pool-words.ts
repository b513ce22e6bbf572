import type { Pool, PoolDetail } from '../../src/client/types.ts'
import { formatFee, formatUsd } from '../format/number.ts'

type HookFlags = NonNullable<Pool['hookFlags']>
type HookFlag = keyof HookFlags

export const kindWords: Readonly<Record<Pool['kind'], string>> = {
  canonical: 'Stock against a trusted token: its price is comparable with the reference.',
  meme: 'Stock against an untrusted token: the stock side is valued by its reference.',
  'stock-stock': 'Stock against another stock.',
}

const flagWords: Readonly<Record<HookFlag, string>> = {
  beforeInitialize: 'runs before the pool is initialized',
  afterInitialize: 'runs after the pool is initialized',
  beforeAddLiquidity: 'runs before liquidity is added: it may reject',
  afterAddLiquidity: 'runs after liquidity is added',
  beforeRemoveLiquidity: 'runs before liquidity is removed: it may lock you in',
  afterRemoveLiquidity: 'runs after liquidity is removed',
  beforeSwap: 'runs before every swap: it may set the fee or reject',
  afterSwap: 'runs after every swap',
  beforeDonate: 'runs before a donation',
  afterDonate: 'runs after a donation',
  beforeSwapReturnDelta: 'may replace the pool’s own pricing of a swap',
  afterSwapReturnDelta: 'may take from what a swap pays out',
  afterAddLiquidityReturnDelta: 'may charge for adding liquidity',
  afterRemoveLiquidityReturnDelta: 'may charge for removing liquidity',
}

const riskyFlags: ReadonlySet<HookFlag> = new Set([
  'beforeRemoveLiquidity',
  'beforeSwapReturnDelta',
  'afterSwapReturnDelta',
  'afterAddLiquidityReturnDelta',
  'afterRemoveLiquidityReturnDelta',
])

export type HookWord = { readonly name: string; readonly words: string; readonly risky: boolean }

/** What the pool's hook may do; empty without a hook or permissions. */
export const hookWordsOf = ({ hookFlags }: Pick<Pool, 'hookFlags'>): readonly HookWord[] =>
  hookFlags === null
    ? []
    : (Object.keys(flagWords) as HookFlag[])
        .filter((name) => hookFlags[name])
        .map((name) => ({ name, words: flagWords[name], risky: riskyFlags.has(name) }))

type HookVerdict = NonNullable<PoolDetail['hookReview']>['verdict']

export const reviewWords: Readonly<Record<HookVerdict, string>> = {
  reviewed: 'Reviewed by the operator of this service: ',
  unreviewed: 'Not reviewed: it decides at what price this pool trades, and with whom.',
  harmless: 'It acts on liquidity only, never on a swap.',
}

const feePartsMillion = 1_000_000

const feeHigh = 50_000

/** Fees of at least 5 % are marked as unusual. */
export const isHighFee = ({ fee }: Pick<Pool, 'fee'>): boolean =>
  fee >= feeHigh && fee <= feePartsMillion

/** What is known of a fee that changes. */
const lastKnownFee = ({ lastSwapFee, lpFee, feeBlock }: Pool): string => {
  if (lastSwapFee !== null) return `The last swap paid ${formatFee(lastSwapFee)}.`
  if (lpFee === null) return 'It is not known yet.'
  return `It was ${formatFee(lpFee)} when last read, in block ${feeBlock}.`
}

export const feeWordsOf = (pool: Pool): string => {
  const { fee, feeDynamic } = pool
  if (feeDynamic) return `Dynamic: a contract sets it for each swap. ${lastKnownFee(pool)}`
  if (fee === 0) return 'No fee is paid to liquidity providers.'
  const per = formatUsd((fee / feePartsMillion) * 1000)
  const warning = isHighFee({ fee }) ? ' This is unusually high.' : ''
  return `${formatFee(fee)} of every swap goes to liquidity providers: ${per} per $1,000.${warning}`
}

export const feeChipOf = ({ fee, feeDynamic, lastSwapFee, lpFee }: Pool): string => {
  if (!feeDynamic) return formatFee(fee)
  const last = lastSwapFee ?? lpFee
  return last === null ? 'dynamic' : `~${formatFee(last)}`
}

export const depthWords =
  'Dollars of the trusted side that move the price by 2 %, the smaller direction, without fees.'

export const reserveWords: Readonly<Record<NonNullable<Pool['reserveSource']>, string>> = {
  ticks: 'from all liquidity events of the pool',
  balance: 'token balance of the pool: an upper bound',
  screener: 'from a third-party screener',
}
