import type { UnixSeconds } from '../../domain/units.ts'
import { runInSlices } from '../../util/time-slice.ts'
import type { ReadModel } from '../model/read-model.ts'
import { buildMarketInputs, type InputsContext, type MarketInputs } from './market-inputs.ts'
import { type PoolRows, valueChangedPools } from './pool-rows.ts'
import { createStockTotalsCache, createValuedMarket, type ValuedMarket } from './valued-market.ts'

/** Values models in slices, one at a time. */
export type Valuer = {
  readonly inputsAt: (model: ReadModel, now: UnixSeconds) => MarketInputs
  /** The last completely valued market. */
  readonly latest: () => ValuedMarket | null
  /**
   * Starts to value the model at this time. Returns null if `latest` is its result, else the
   * running valuation, which may be of an earlier time.
   */
  readonly valueAt: (model: ReadModel, now: UnixSeconds) => Promise<void> | null
  /** The market at `now`, or up to two seconds older while a long valuation runs. */
  readonly current: (model: ReadModel, now: UnixSeconds) => Promise<ValuedMarket | null>
}

/** Maximum age of the market that lists use while a long valuation runs. */
const marketAgeSecondsMax = 2

export const createValuer = (context: Omit<InputsContext, 'now'>): Valuer => {
  const totalsCache = createStockTotalsCache()
  let latest: ValuedMarket | null = null
  let running: Promise<void> | null = null
  let built: { readonly model: ReadModel; readonly inputs: MarketInputs } | null = null

  const inputsAt = (model: ReadModel, now: UnixSeconds): MarketInputs => {
    if (built?.model === model && built.inputs.context.now === now) return built.inputs
    const inputs = buildMarketInputs(model, { ...context, now }, built?.inputs ?? null)
    built = { model, inputs }
    return inputs
  }

  const valueAt: Valuer['valueAt'] = (model, now) => {
    if (latest?.model === model && latest.inputs.context.now === now) return null
    if (running !== null) return running
    const inputs = inputsAt(model, now)
    const steps = valueChangedPools(model, inputs, latest)
    const finish = (rows: PoolRows): void => {
      latest = createValuedMarket({ model, inputs, rows }, totalsCache)
    }
    const first = steps.next()
    if (first.done) {
      finish(first.value)
      return null
    }
    running = runInSlices(steps)
      .then(finish)
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    inputsAt: inputsAt,
    latest: () => latest,
    valueAt,
    current: async (model, now) => {
      const pending = valueAt(model, now)
      if (pending === null) return latest
      const isRecent = latest !== null && now - latest.inputs.context.now <= marketAgeSecondsMax
      // `refresh` awaits the same promise and reports its error.
      if (isRecent) pending.catch(() => undefined)
      else await pending
      return latest
    },
  }
}
