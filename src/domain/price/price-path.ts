import type { UnixSeconds } from '../units.ts'

/** One price and since when it held. */
export type PriceStep = { readonly ts: UnixSeconds; readonly price: number }

/** Steps kept per pool: five minutes of a pool that trades several times a second. */
const stepsMax = 4096

/** Appends a price; several within one second keep the last, as a block's end state does. */
export const appendStep = (path: PriceStep[], step: PriceStep): void => {
  const last = path.at(-1)
  if (last !== undefined && last.ts === step.ts) path[path.length - 1] = step
  else path.push(step)
  if (path.length > stepsMax) path.splice(0, path.length - stepsMax / 2)
}

/**
 * The prices that held during (`fromTs`, `toTs`], each with its seconds as weight: a pool's price
 * is a step function of time, so a flash of one block weighs next to nothing.
 */
export const timeWeightedPrice = (
  path: readonly PriceStep[],
  window: { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds },
): readonly { readonly value: number; readonly weight: number }[] =>
  path.map((step, index) => {
    const start = Math.max(step.ts, window.fromTs)
    const end = Math.min(path[index + 1]?.ts ?? window.toTs, window.toTs)
    // A step of this very second would weigh nothing and a lone one leave no price at all.
    const isCurrent = index === path.length - 1 && step.ts <= window.toTs
    return { value: step.price, weight: Math.max(isCurrent ? 1 : 0, end - start) }
  })
