import { getProtocol } from '../dex/find-protocol.ts'
import { isDynamicFee, isUnreviewedHook } from '../dex/uniswap-v4/hook-flags.ts'
import type { Address } from '../units.ts'
import type { PoolSettingSet } from './pool-event.ts'
import type { PoolIdentity, PoolSettings, PoolState } from './pool-state.ts'

/** What the settings at creation follow from. */
type SettingsOrigin = Pick<PoolIdentity, 'protocol' | 'createdBlock'>

/** Null where the key has them for good. */
export const settingsAtCreation = ({
  protocol,
  createdBlock,
}: SettingsOrigin): PoolSettings | null =>
  getProtocol(protocol).hasSettings
    ? { tickSpacing: 0, pluginConfig: 0, block: createdBlock }
    : null

/** The settings after an event that sets one of them; unknown ones need a rebuild of the pool. */
export const settingsAfter = (
  known: PoolSettings | null,
  { tickSpacing = known?.tickSpacing, pluginConfig = known?.pluginConfig }: PoolSettingSet,
  block: number,
): PoolSettings | null =>
  tickSpacing === undefined || pluginConfig === undefined
    ? null
    : { tickSpacing, pluginConfig, block }

export const isSameSettings = (one: PoolSettings | null, other: PoolSettings | null): boolean =>
  one?.tickSpacing === other?.tickSpacing && one?.pluginConfig === other?.pluginConfig

/** Plugins.sol of Algebra: bits of the calls before and after a swap, and of a dynamic fee. */
const swapBits = 0b11
const feeBits = 0b1000_0001

const hasBits = (settings: PoolSettings | null, bits: number): boolean =>
  settings !== null && (settings.pluginConfig & bits) !== 0

/**
 * Whether the pool's plugin runs in a swap: it may refuse it, and from version 1.2 on charge more.
 */
export const isPluginInSwaps = (settings: PoolSettings | null): boolean =>
  hasBits(settings, swapBits)

/** Whether something else than key and logs sets the fee of a swap: a hook, plugin or module. */
export const isFeeDynamic = ({
  key,
  settings,
}: Pick<PoolIdentity, 'key'> & Pick<PoolState, 'settings'>): boolean =>
  settings === null ? isDynamicFee(key.fee) : hasBits(settings, feeBits)

/**
 * Whether a hook or plugin that nothing is known of decides at what price this pool trades, and
 * with whom (docs/methodology.md §6).
 */
export const isUnreviewed = (
  { key, settings }: Pick<PoolIdentity, 'key'> & Pick<PoolState, 'settings'>,
  reviewed: { readonly has: (hooks: Address) => boolean },
): boolean => hasBits(settings, swapBits | feeBits) || isUnreviewedHook(key, reviewed)

/**
 * Hundredths of a bip. A fee that a hook of v4 or a plugin sets is that of the last swap, and null
 * before the first; that of another pool whose fee changes is the one last known.
 */
export const currentFee = ({
  key: { hooks, fee },
  settings,
  fees,
  lastSwapFee,
}: Pick<PoolIdentity, 'key'> & Pick<PoolState, 'settings' | 'fees' | 'lastSwapFee'>):
  | number
  | null => {
  if (hasBits(settings, feeBits)) return lastSwapFee
  if (hooks === null && fees !== null) return fees.lpFee
  return isDynamicFee(fee) ? lastSwapFee : fee
}
