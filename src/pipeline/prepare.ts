import type { Hash } from '../domain/units.ts'
import type { RpcFault } from '../ports.ts'
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

/** `refused`: the store or the endpoint is of another chain, and waiting will not help. */
export type Prepared =
  | { readonly kind: 'ready' | 'wait' }
  | { readonly kind: 'refused'; readonly reason: string }

const wait: Prepared = { kind: 'wait' }
const ready: Prepared = { kind: 'ready' }

const waitForChain = async (
  { logger }: IndexerDeps,
  parts: Parts,
  { kind, detail }: RpcFault,
): Promise<Prepared> => {
  if (kind === 'wrong-chain') return { kind: 'refused', reason: detail }
  logger.warn('Waiting for the chain', { kind, detail })
  await parts.reportSwaps.failure(`${kind}: ${detail}`)
  await parts.reportPools.failure(`${kind}: ${detail}`)
  return wait
}

/** Claims the store for the chain, as far as that is known; the reason if it is another's. */
export const claimStore = async (
  { store, clock, network }: IndexerDeps,
  originHash: Hash | null,
): Promise<string | null> => {
  const { chainId, name } = network
  const claimed = await store.begin({ chainId, network: name, originHash }, clock.now())
  return claimed === 'ready' ? null : `the store holds another chain than this ${name} (${chainId})`
}

/** Everything that must be known before the first log is read. */
export const prepare = async (deps: IndexerDeps, parts: Parts): Promise<Prepared> => {
  const origin = await deps.chain.anchor(deps.network.origin)
  if (!origin.ok) return waitForChain(deps, parts, origin.fault)
  const reason = await claimStore(deps, origin.value.hash)
  if (reason !== null) return { kind: 'refused', reason }
  // Without verdicts on the stocks every pool would be passed over, and never seen again.
  if (!(await parts.stocks.refresh())) return wait
  for (const { address } of parts.wanted()) parts.tokens.want(address)
  if (!(await parts.feeds.refresh()) || !(await parts.tokens.refresh())) return wait
  await parts.index.load()
  await loadReferences(deps, parts)
  return ready
}
