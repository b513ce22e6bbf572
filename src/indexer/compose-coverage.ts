import { getProtocol } from '../domain/dex/find-protocol.ts'
import type { HistoricalSync, SyncParts } from './compose-historical-sync.ts'
import type { IndexerDeps } from './deps.ts'
import { createCoverageAudit } from './verify/coverage-audit.ts'
import { createVenueAudit } from './verify/venue-audit.ts'

/** Two audits: what the factories answer, and the creation logs of all venues. */
export const composeCoverage = (
  { chain, store, clock, logger, network, keccak256 }: IndexerDeps,
  parts: SyncParts & Pick<HistoricalSync, 'searchAgain' | 'scope'>,
) => {
  const { stocks, index, events, roles, searchAgain, scope } = parts
  const shared = { chain, store, clock, index, logger, searchAgain }
  const factories = createCoverageAudit({
    ...shared,
    factories: [...network.venues.values()].flatMap(({ address, protocol }) => {
      const listing = getProtocol(protocol).listsPools
      return listing === null ? [] : [{ address, listing }]
    }),
    trusted: network.trusted.map(({ address }) => address),
    stocks: () => {
      const verified = stocks.all().filter(({ verdict }) => verdict === 'verified')
      return verified.map(({ address }) => address)
    },
  })
  const { venues, origin } = network
  const venueAudit = createVenueAudit({
    ...shared,
    ...{ keccak256, venues, origin, roles, scope },
    missingAtFactories: factories.missing,
  })
  events.on('indexReset', venueAudit.reset)
  return { step: factories.step, warning: factories.warning, venueStep: venueAudit.step }
}
