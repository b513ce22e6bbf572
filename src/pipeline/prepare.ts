import type { IndexerDeps } from './deps.ts'
import type { Before, Parts } from './parts.ts'

const secondsPerDay = 86_400

/** What the store remembers of earlier runs. */
export const readBefore = ({ store }: IndexerDeps): Promise<Before> =>
  store.snapshot(async (snapshot) => ({
    tokens: await snapshot.tokensChangedAfter(-1),
    stocks: await snapshot.stocksChangedAfter(-1),
    quotes: await snapshot.quotes(),
    sources: await snapshot.sources(),
  }))

const loadReferences = async (deps: IndexerDeps, parts: Parts): Promise<void> => {
  const { store, clock, historyDays } = deps
  const toTs = clock.now()
  const fromTs = toTs - historyDays * secondsPerDay
  await store.snapshot(async (snapshot) => {
    for (const { address } of parts.wanted()) {
      const { before, rows } = await snapshot.references({ address, width: 60, fromTs, toTs })
      if (before !== null) parts.references.add(address, before)
      for (const point of rows) parts.references.add(address, point)
    }
  })
}

/** Sources that this configuration does not have say so from the first moment. */
export const recordDisabled = async ({ store, screener }: IndexerDeps): Promise<void> => {
  if (screener !== null) return
  await store.recordSource({
    source: 'screener',
    enabled: false,
    lastAttemptTs: null,
    lastSuccessTs: null,
    lastError: null,
    partial: false,
    failures: 0,
  })
}

/** `refused`: the store belongs to another chain, or the endpoint serves one. */
export type Prepared = 'ready' | 'wait' | 'refused'

/** Makes sure that the store's chain is this one, by the hash of the first block that counts. */
const claimOrigin = async (deps: IndexerDeps, parts: Parts): Promise<Prepared> => {
  const { chain, store, clock, network, logger } = deps
  const origin = await chain.anchor(network.origin)
  if (!origin.ok) {
    const { kind, detail } = origin.fault
    logger.warn('Waiting for the chain', { kind, detail })
    await parts.reportSwaps.failure(`${kind}: ${detail}`)
    await parts.reportPools.failure(`${kind}: ${detail}`)
    return 'wait'
  }
  const identity = {
    chainId: network.chainId,
    network: network.name,
    originHash: origin.value.hash,
  }
  return (await store.begin(identity, clock.now())) === 'ready' ? 'ready' : 'refused'
}

/** Everything that must be known before the first log is read. */
export const prepare = async (deps: IndexerDeps, parts: Parts): Promise<Prepared> => {
  const claimed = await claimOrigin(deps, parts)
  if (claimed !== 'ready') return claimed
  // Without verdicts on the stocks every pool would be passed over, and never seen again.
  if (!(await parts.stocks.refresh())) return 'wait'
  for (const { address } of parts.wanted()) parts.tokens.want(address)
  if (!(await parts.feeds.refresh()) || !(await parts.tokens.refresh())) return 'wait'
  await parts.index.load()
  await loadReferences(deps, parts)
  return 'ready'
}
