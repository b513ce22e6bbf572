import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../../../test/support/domain/sample-inputs.ts'
import { type PoolKind, poolKinds } from '../views/pool.ts'
import { createPoolColumns, type PoolSummary, type StockTotals } from './stock-totals.ts'

/* Columns that follow pools say what reading the pools themselves would. */

const usd = fc.option(fc.oneof(fc.nat(3), fc.double({ min: 0, max: 1e9, noNaN: true })))
type Values = Omit<PoolSummary, 'pool' | 'premiumBps' | 'driftBps'> & {
  readonly kind: PoolKind
  readonly vol24hUsd: number | null
  readonly vol24hFilteredUsd: number | null
}

const anyPool = fc.record({
  kind: fc.constantFrom(...poolKinds),
  active: fc.boolean(),
  comparable: fc.boolean(),
  mayRepresent: fc.boolean(),
  stockPriceUsd: usd,
  liquidityUsd: usd,
  depthUsd: usd,
  vol24hUsd: usd,
  vol24hFilteredUsd: usd,
})
/** Numbers up to where columns have to grow. */
const anyNumber = fc.oneof(fc.nat(12), fc.nat(5000))
const anyChange = fc.tuple(anyNumber, fc.option(anyPool, { nil: undefined }))

const sumPlainly = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 && values.length > 0 ? null : known.reduce((a, b) => a + b, 0)
}

const plainly = (pools: readonly PoolSummary[]): StockTotals => {
  const count = (isIt: (pool: PoolSummary) => boolean) => pools.filter(isIt).length
  const candidates = pools.filter(({ mayRepresent }) => mayRepresent)
  const [best = null] = candidates.toSorted(
    (a, b) =>
      Number(b.comparable) - Number(a.comparable) ||
      (b.depthUsd ?? -1) - (a.depthUsd ?? -1) ||
      (a.pool.id < b.pool.id ? -1 : 1),
  )
  const filtered = sumPlainly(pools.map(({ pool }) => pool.volume.vol24hFilteredUsd))
  const judged = pools.filter(({ pool }) => pool.volume.vol24hFilteredUsd !== null)
  const all = judged.reduce((sum, { pool }) => sum + (pool.volume.vol24hUsd ?? 0), 0)
  return {
    counts: {
      total: pools.length,
      active: count(({ active }) => active),
      canonical: count(({ pool }) => pool.classification.kind === 'canonical'),
      meme: count(({ pool }) => pool.classification.kind === 'meme'),
      stockStock: count(({ pool }) => pool.classification.kind === 'stock-stock'),
    },
    best,
    liquidityUsd: sumPlainly(pools.map(({ liquidityUsd }) => liquidityUsd)),
    vol24hUsd: sumPlainly(pools.map(({ pool }) => pool.volume.vol24hUsd)),
    vol24hFilteredUsd: filtered,
    washShare24h: all > 0 ? Math.max(0, 1 - (filtered ?? 0) / all) : null,
  }
}

const rowOf = (
  id: PoolSummary['pool']['id'],
  { kind, vol24hUsd, vol24hFilteredUsd, ...values }: Values,
  premiumBps: number,
): PoolSummary => ({
  pool: {
    id,
    classification: { kind },
    volume: { vol24hUsd, vol24hFilteredUsd: vol24hUsd === null ? null : vol24hFilteredUsd },
  },
  ...values,
  premiumBps,
  driftBps: null,
})

test('what pools come to, however they came, changed and went', () => {
  const changes = fc.array(anyChange, { maxLength: 40 })
  fc.assert(
    fc.property(changes, fc.uniqueArray(anyNumber, { maxLength: 30 }), (all, numbers) => {
      const pools = new Map<number, PoolSummary>()
      const columns = createPoolColumns((number) => pools.get(number))
      for (const [number, values] of all) {
        // Ids in another order than numbers.
        const id = addressOf(9000 - number)
        const pool = values && rowOf(id, values, number)
        if (pool === undefined) pools.delete(number)
        else pools.set(number, pool)
        columns.set(number, pool)
      }
      for (const wanted of [numbers, [...pools.keys()]]) {
        const own = wanted.flatMap((number) => pools.get(number) ?? [])
        expect(columns.sum(wanted)).toEqual(plainly(own))
      }
    }),
    { numRuns: 300 },
  )
})
