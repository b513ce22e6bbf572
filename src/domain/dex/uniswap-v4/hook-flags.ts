import type { Address } from '../../units.ts'

/**
 * What a v4 hook may do is written in the low 14 bits of its address (v4-core Hooks.sol; names as
 * in Hooks.Permissions). The PoolManager calls a hook for nothing else.
 */
const hookBits = {
  beforeInitialize: 13,
  afterInitialize: 12,
  beforeAddLiquidity: 11,
  afterAddLiquidity: 10,
  beforeRemoveLiquidity: 9,
  afterRemoveLiquidity: 8,
  beforeSwap: 7,
  afterSwap: 6,
  beforeDonate: 5,
  afterDonate: 4,
  beforeSwapReturnDelta: 3,
  afterSwapReturnDelta: 2,
  afterAddLiquidityReturnDelta: 1,
  afterRemoveLiquidityReturnDelta: 0,
} as const

export type HookFlagName = keyof typeof hookBits
export type HookFlags = Readonly<Record<HookFlagName, boolean>>

/** All false for a hookless pool (the zero address). One literal, because every row has one. */
export const decodeHookFlags = (hooks: Address): HookFlags => {
  const bits = Number.parseInt(hooks.slice(-4), 16)
  const has = (name: HookFlagName): boolean => ((bits >> hookBits[name]) & 1) === 1
  return {
    beforeInitialize: has('beforeInitialize'),
    afterInitialize: has('afterInitialize'),
    beforeAddLiquidity: has('beforeAddLiquidity'),
    afterAddLiquidity: has('afterAddLiquidity'),
    beforeRemoveLiquidity: has('beforeRemoveLiquidity'),
    afterRemoveLiquidity: has('afterRemoveLiquidity'),
    beforeSwap: has('beforeSwap'),
    afterSwap: has('afterSwap'),
    beforeDonate: has('beforeDonate'),
    afterDonate: has('afterDonate'),
    beforeSwapReturnDelta: has('beforeSwapReturnDelta'),
    afterSwapReturnDelta: has('afterSwapReturnDelta'),
    afterAddLiquidityReturnDelta: has('afterAddLiquidityReturnDelta'),
    afterRemoveLiquidityReturnDelta: has('afterRemoveLiquidityReturnDelta'),
  }
}

/**
 * Whether the hook may take or give tokens itself, so that neither the liquidity map nor the
 * `Swap` event tells the whole (docs/methodology.md §4).
 */
export const canReturnDelta = (flags: HookFlags): boolean =>
  flags.beforeSwapReturnDelta ||
  flags.afterSwapReturnDelta ||
  flags.afterAddLiquidityReturnDelta ||
  flags.afterRemoveLiquidityReturnDelta

/** LPFeeLibrary.DYNAMIC_FEE_FLAG: the key names no fee, the hook sets it. */
export const dynamicFee = 0x800000

/** Of a pool key's fee, never of the fee that a `Swap` reports. */
export const isDynamicFee = (fee: number): boolean => fee === dynamicFee
