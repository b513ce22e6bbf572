import type { StandardOf } from '../../../src/domain/stock/stock-standard.ts'
import type { Address } from '../../../src/domain/units.ts'

/** All stocks are proxies of one beacon; null: the network has none. */
export const beaconStandard =
  (beacon: Address | null): StandardOf =>
  () => ({ proof: 'beacon', beacon })
