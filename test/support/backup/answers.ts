import { policyDefault } from '../../../src/domain/status/freshness.ts'
import { createMarket } from '../../../src/market/create-market.ts'
import { addressOf, day, identityOf } from '../../store-contract/fixtures.ts'
import { startServer } from '../api/harness.ts'
import { beaconStandard } from '../domain/sample-standard.ts'
import { type StoreLocation, unwrap } from './homes.ts'

const now = day + 45
const quote = { symbol: 'USDG', address: addressOf(201), decimals: 6, feed: null }
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
export const { id: answeredPool } = identityOf(1)

export const answeredPaths = [
  '/api/v1/pools?limit=50',
  `/api/v1/pools/${answeredPool}`,
  `/api/v1/pools/${answeredPool}?range=7d`,
  '/api/v1/stocks',
  '/api/v1/stocks/NVDA',
  '/api/v1/health',
]

/** What an API process says that serves this store at this moment. */
export const answersOf = async (home: StoreLocation): Promise<readonly string[]> => {
  const store = unwrap(await home.openStore())
  const market = createMarket({
    store,
    clock: { now: () => now },
    logger,
    policy: policyDefault,
    trusted: [quote],
    reviewedHooks: new Map(),
    standardOf: beaconStandard(null),
    venues: new Map(),
    methodologyVersion: '1.2.0',
    network: { name: 'robinhood', chainId: 4663 },
    isScreenerEnabled: false,
  })
  await market.refresh()
  const serving = await startServer({ market, clock: { now: () => now } })
  const answers: string[] = []
  for (const path of answeredPaths) {
    const { status, text } = await serving.request(path)
    answers.push(`${path} ${status} ${text}`)
  }
  await store.close()
  return answers
}
