import type { UnixSeconds } from '../units.ts'

/** A price and the time from which it held. */
export type PriceStep = { readonly ts: UnixSeconds; readonly price: number }

/** Steps kept per pool: five minutes of a pool that trades several times a second. */
const stepsMax = 4096

/** Appends a price; of several within one second the last remains. */
export const appendStep = (path: PriceStep[], step: PriceStep): void => {
  const last = path.at(-1)
  if (last !== undefined && last.ts === step.ts) path[path.length - 1] = step
  else path.push(step)
  if (path.length > stepsMax) path.splice(0, path.length - stepsMax / 2)
}

/**
 * Prices during (`fromTs`, `toTs`], weighted by their seconds. A pool's price is a step function of
 * time, so a price of one block has almost no weight.
 */
export const timeWeightedPrice = (
  path: readonly PriceStep[],
  window: { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds },
): readonly { readonly value: number; readonly weight: number }[] =>
  path.map((step, index) => {
    const start = Math.max(step.ts, window.fromTs)
    const end = Math.min(path[index + 1]?.ts ?? window.toTs, window.toTs)
    // The current step weighs at least one second; a lone new step would otherwise have no weight.
    const isCurrent = index === path.length - 1 && step.ts <= window.toTs
    return { value: step.price, weight: Math.max(isCurrent ? 1 : 0, end - start) }
  })
