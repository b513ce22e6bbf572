import type { PoolKey } from '../../pool/pool-event.ts'
import type { Address } from '../../units.ts'

/**
 * The low 14 bits of a hook's address are its permissions (v4-core Hooks.sol; names as in
 * Hooks.Permissions). The PoolManager makes no other calls to a hook.
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

/** The parts of a key that say what its hook may do. */
type HookedKey = Pick<PoolKey, 'hooks' | 'parameters'>

/**
 * In PancakeSwap Infinity the low 16 bits of the key's `parameters` hold the permissions, the same
 * ones from the other end (infinity-core ICLHooks.sol).
 */
const permissionBits = ({ hooks, parameters }: HookedKey): ((bit: number) => boolean) => {
  const bits = Number.parseInt((parameters ?? hooks ?? '0').slice(-4), 16)
  return parameters === undefined || parameters === null
    ? (bit) => ((bits >> bit) & 1) === 1
    : (bit) => ((bits >> (hookBits.beforeInitialize - bit)) & 1) === 1
}

/** Null in v3; all false for the zero address of a hookless pool. */
export const hookFlagsOf = (key: HookedKey): HookFlags | null => {
  if (key.hooks === null) return null
  const hasBit = permissionBits(key)
  const has = (name: HookFlagName): boolean => hasBit(hookBits[name])
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
 * Whether the hook may take or pay tokens itself, so that tick map and `Swap` event are incomplete
 * (docs/methodology.md §4).
 */
export const hookMovesTokens = (key: HookedKey): boolean => {
  const flags = hookFlagsOf(key)
  if (flags === null) return false
  const { beforeSwapReturnDelta, afterSwapReturnDelta } = flags
  const { afterAddLiquidityReturnDelta, afterRemoveLiquidityReturnDelta } = flags
  const ofSwaps = beforeSwapReturnDelta || afterSwapReturnDelta
  return ofSwaps || afterAddLiquidityReturnDelta || afterRemoveLiquidityReturnDelta
}

/** Whether the hook runs in a swap: it may refuse it, or change what the trader gets or pays. */
export const hookActsOnSwaps = (key: HookedKey): boolean => {
  const flags = hookFlagsOf(key)
  if (flags === null) return false
  const { beforeSwap, afterSwap, beforeSwapReturnDelta, afterSwapReturnDelta } = flags
  return beforeSwap || afterSwap || beforeSwapReturnDelta || afterSwapReturnDelta
}

/**
 * LPFeeLibrary.DYNAMIC_FEE_FLAG: the hook sets the fee. The key of a v3-like pool has it, too, if
 * something else than the key decides its fee.
 */
export const dynamicFee = 0x800000

/** Takes the fee of a pool key, not the fee of a `Swap`. */
export const isDynamicFee = (fee: number): boolean => fee === dynamicFee

/** The fee of a swap: that of its event or of the key; null if that says only that it changes. */
export const paidFeeOf = (eventFee: number | null, keyFee: number): number | null =>
  eventFee ?? (isDynamicFee(keyFee) ? null : keyFee)

/** What the operator found in a hook, by the hook's address. */
export type ReviewedHooks = ReadonlyMap<Address, string>

type PricedKey = HookedKey & Pick<PoolKey, 'fee'>

/**
 * Whether a hook that nothing is known of decides at what price this pool trades, and with whom
 * (docs/methodology.md §6).
 */
export const isUnreviewedHook = (
  key: PricedKey,
  reviewed: { readonly has: (hooks: Address) => boolean },
): boolean => {
  if (key.hooks === null || reviewed.has(key.hooks)) return false
  return isDynamicFee(key.fee) || hookActsOnSwaps(key)
}
