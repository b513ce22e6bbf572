import type { Pool } from '../../src/client/types.ts'
import { formatFee, formatUsd } from '../format/number.ts'

type HookFlags = NonNullable<Pool['hookFlags']>
type HookFlag = keyof HookFlags

export const kindWords: Readonly<Record<Pool['kind'], string>> = {
  canonical: 'Stock against a trusted money token: its price can be compared with the reference.',
  meme: 'Stock against a token nobody vouches for: the stock leg is valued by its reference.',
  'stock-stock': 'Stock against another stock.',
}

const flagWords: Readonly<Record<HookFlag, string>> = {
  beforeInitialize: 'acts before the pool is opened',
  afterInitialize: 'acts after the pool is opened',
  beforeAddLiquidity: 'acts before liquidity is added: it may refuse',
  afterAddLiquidity: 'acts after liquidity is added',
  beforeRemoveLiquidity: 'acts before liquidity is removed: it may lock you in',
  afterRemoveLiquidity: 'acts after liquidity is removed',
  beforeSwap: 'acts before every swap: it may set the fee or refuse',
  afterSwap: 'acts after every swap',
  beforeDonate: 'acts before a donation',
  afterDonate: 'acts after a donation',
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

/** What the hook of a pool may do; empty if there is none or it may do nothing. */
export const hookWordsOf = ({ hookFlags }: Pick<Pool, 'hookFlags'>): readonly HookWord[] =>
  hookFlags === null
    ? []
    : (Object.keys(flagWords) as HookFlag[])
        .filter((name) => hookFlags[name])
        .map((name) => ({ name, words: flagWords[name], risky: riskyFlags.has(name) }))

const feePartsMillion = 1_000_000

const feeHigh = 50_000

/** From 5 % on a swap is hardly meant to pay. */
export const isHighFee = ({ fee }: Pick<Pool, 'fee'>): boolean =>
  fee >= feeHigh && fee <= feePartsMillion

export const feeWordsOf = ({ fee, feeDynamic, lastSwapFee }: Pool): string => {
  if (feeDynamic) {
    const last = lastSwapFee === null ? 'not known yet' : formatFee(lastSwapFee)
    return `Dynamic: the hook sets it for each swap. The last swap paid ${last}.`
  }
  if (fee === 0) return 'No fee is paid to liquidity providers.'
  const per = formatUsd((fee / feePartsMillion) * 1000)
  const warning = isHighFee({ fee }) ? ' That is unusually much: look twice.' : ''
  return `${formatFee(fee)} of every swap goes to liquidity providers: ${per} of $1,000.${warning}`
}

export const feeChipOf = ({ fee, feeDynamic, lastSwapFee }: Pool): string => {
  if (!feeDynamic) return formatFee(fee)
  return lastSwapFee === null ? 'dynamic' : `~${formatFee(lastSwapFee)}`
}

export const reserveWords: Readonly<Record<NonNullable<Pool['reserveSource']>, string>> = {
  ticks: 'replayed from every liquidity event of the pool',
  balance: 'token balance of the pool: an upper bound',
  screener: 'from a third party’s screener',
}
