import type { UnixSeconds } from '../../domain/units.ts'
import { runInSlices } from '../../util/time-slice.ts'
import type { Model } from '../model/model.ts'
import { type FactsContext, type MomentFacts, momentFactsOf } from './market-inputs.ts'
import { type PoolRows, revalue } from './pool-rows.ts'
import { createPoolsOfStocks, createValuedMarket, type ValuedMarket } from './valued-market.ts'

/** Values models, one at a time, without keeping anybody waiting for long. */
export type Valuer = {
  readonly factsAt: (model: Model, now: UnixSeconds) => MomentFacts
  /** The last market that was valued as a whole. */
  readonly latest: () => ValuedMarket | null
  /**
   * Sets out to value this model at this moment. Null: `latest` is just that. Otherwise what is
   * under way, perhaps for an earlier moment.
   */
  readonly toward: (model: Model, now: UnixSeconds) => Promise<void> | null
  /** The market as of now, or of a moment ago while much of it is valued anew. */
  readonly present: (model: Model, now: UnixSeconds) => Promise<ValuedMarket | null>
}

/** While many pools are valued anew, lists are answered as of a moment at most this long ago. */
const presentAgeSecondsMax = 2

export const createValuer = (context: Omit<FactsContext, 'now'>): Valuer => {
  const poolsOfStocks = createPoolsOfStocks()
  let latest: ValuedMarket | null = null
  let underWay: Promise<void> | null = null
  let known: { readonly model: Model; readonly facts: MomentFacts } | null = null

  const factsAt = (model: Model, now: UnixSeconds): MomentFacts => {
    if (known?.model === model && known.facts.moment.now === now) return known.facts
    const facts = momentFactsOf(model, { ...context, now }, known?.facts ?? null)
    known = { model, facts }
    return facts
  }

  const toward: Valuer['toward'] = (model, now) => {
    if (latest?.model === model && latest.facts.moment.now === now) return null
    if (underWay !== null) return underWay
    const facts = factsAt(model, now)
    const steps = revalue(model, facts, latest)
    const settle = (rows: PoolRows): void => {
      latest = createValuedMarket({ model, facts, rows }, poolsOfStocks)
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
    factsAt,
    latest: () => latest,
    toward,
    present: async (model, now) => {
      const pending = toward(model, now)
      if (pending === null) return latest
      const isRecent = latest !== null && now - latest.facts.moment.now <= presentAgeSecondsMax
      // Whoever refreshes waits for the same promise, and tells if it fails.
      if (isRecent) pending.catch(() => undefined)
      else await pending
      return latest
    },
  }
}
