import type { StandardOf, StockStandard } from '../../../src/domain/stock/stock-standard.ts'
import type { Address } from '../../../src/domain/units.ts'

export const standardWith = (rest: Partial<StockStandard>): StockStandard => ({
  proof: 'beacon',
  beacon: null,
  feedPer: 'token',
  wraps: null,
  rebasing: false,
  ...rest,
})

/** All stocks are proxies of one beacon; null: the network has none. */
export const beaconStandard =
  (beacon: Address | null): StandardOf =>
  () =>
    standardWith({ beacon })
