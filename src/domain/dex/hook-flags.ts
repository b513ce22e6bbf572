import type { Address } from '../units.ts'

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

/** In the order of the contract, highest bit first. */
export const hookFlagNames = Object.keys(hookBits) as readonly HookFlagName[]

/** All false for a hookless pool (the zero address). */
export const hookFlagsOf = (hooks: Address): HookFlags => {
  const bits = Number.parseInt(hooks.slice(-4), 16)
  const flags = hookFlagNames.map((name) => [name, ((bits >> hookBits[name]) & 1) === 1])
  return Object.fromEntries(flags)
}

/**
 * Whether the hook may take or give tokens itself, so that neither the liquidity map nor the
 * `Swap` event tells the whole (docs/methodology.md §4).
 */
export const hasReturnsDelta = (flags: HookFlags): boolean =>
  flags.beforeSwapReturnDelta ||
  flags.afterSwapReturnDelta ||
  flags.afterAddLiquidityReturnDelta ||
  flags.afterRemoveLiquidityReturnDelta

/** LPFeeLibrary.DYNAMIC_FEE_FLAG: the key names no fee, the hook sets it. */
export const dynamicFee = 0x800000

/** Of a pool key's fee, never of the fee that a `Swap` reports. */
export const isDynamicFee = (fee: number): boolean => fee === dynamicFee
