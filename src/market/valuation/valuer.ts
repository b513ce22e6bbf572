import type { UnixSeconds } from '../../domain/units.ts'
import { runInSlices } from '../../util/time-slice.ts'
import type { ReadModel } from '../model/read-model.ts'
import { buildMarketInputs, type InputsContext, type MarketInputs } from './market-inputs.ts'
import { type PoolRows, valueChangedPools } from './pool-rows.ts'
import { createStockTotalsCache, createValuedMarket, type ValuedMarket } from './valued-market.ts'

/** Values models, one at a time, without keeping anybody waiting for long. */
export type Valuer = {
  readonly inputsAt: (model: ReadModel, now: UnixSeconds) => MarketInputs
  /** The last market that was valued as a whole. */
  readonly latest: () => ValuedMarket | null
  /**
   * Sets out to value this model at this moment. Null: `latest` is just that. Otherwise what is
   * under way, perhaps for an earlier moment.
   */
  readonly valueAt: (model: ReadModel, now: UnixSeconds) => Promise<void> | null
  /** The market as of now, or of a moment ago while much of it is valued anew. */
  readonly current: (model: ReadModel, now: UnixSeconds) => Promise<ValuedMarket | null>
}

/** While many pools are valued anew, lists are answered as of a moment at most this long ago. */
const presentAgeSecondsMax = 2

export const createValuer = (context: Omit<InputsContext, 'now'>): Valuer => {
  const totalsCache = createStockTotalsCache()
  let latest: ValuedMarket | null = null
  let underWay: Promise<void> | null = null
  let known: { readonly model: ReadModel; readonly inputs: MarketInputs } | null = null

  const inputsAt = (model: ReadModel, now: UnixSeconds): MarketInputs => {
    if (known?.model === model && known.inputs.context.now === now) return known.inputs
    const inputs = buildMarketInputs(model, { ...context, now }, known?.inputs ?? null)
    known = { model, inputs }
    return inputs
  }

  const toward: Valuer['valueAt'] = (model, now) => {
    if (latest?.model === model && latest.inputs.context.now === now) return null
    if (underWay !== null) return underWay
    const inputs = inputsAt(model, now)
    const steps = valueChangedPools(model, inputs, latest)
    const settle = (rows: PoolRows): void => {
      latest = createValuedMarket({ model, inputs, rows }, totalsCache)
    }
    const first = steps.next()
    if (first.done) {
      settle(first.value)
      return null
    }
    underWay = runInSlices(steps)
      .then(settle)
      .finally(() => {
        underWay = null
      })
    return underWay
  }

  return {
    inputsAt: inputsAt,
    latest: () => latest,
    valueAt: toward,
    current: async (model, now) => {
      const pending = toward(model, now)
      if (pending === null) return latest
      const isRecent = latest !== null && now - latest.inputs.context.now <= presentAgeSecondsMax
      // Whoever refreshes waits for the same promise, and tells if it fails.
      if (isRecent) pending.catch(() => undefined)
      else await pending
      return latest
    },
  }
}
