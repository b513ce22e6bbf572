import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { Reading } from '../domain/reading.ts'
import { type Stock, withPassTime } from '../domain/stock/stock.ts'
import { secondsPerDay } from '../domain/time.ts'
import { isFullyKnown } from '../domain/token/metadata.ts'
import type { Address, Hash, UnixSeconds } from '../domain/units.ts'
import type { RpcFault } from '../ports/chain-reader.ts'
import type { StoreSnapshot } from '../ports/store.ts'
import type { StoredToken } from '../ports/store-batches.ts'
import type { IndexerParts } from './compose.ts'
import type { IndexerDeps, StoredState } from './deps.ts'
import { describeFault } from './sync-fault.ts'

const readStocks = async (snapshot: StoreSnapshot): Promise<readonly Stock[]> => {
  const passTs = (await snapshot.header())?.stocksReadTs ?? null
  return (await snapshot.stocksChangedAfter(-1)).map((stock) => withPassTime(stock, passTs))
}

/** Reads what earlier runs stored. */
export const readStoredState = async ({ store }: IndexerDeps): Promise<StoredState> => {
  // Names stay in the store: there are many tokens, and only decimals are needed here.
  const decimals = new Map<Address, Reading<number>>()
  const unknownTokens: StoredToken[] = []
  for await (const token of store.readTokens()) {
    decimals.set(token.address, token.decimals)
    if (!isFullyKnown(token)) unknownTokens.push(token)
  }
  return store.snapshot(async (snapshot) => ({
    decimals,
    unknownTokens,
    stocks: await readStocks(snapshot),
    quotes: await snapshot.quotes(),
    sources: await snapshot.sources(),
  }))
}

/** Loads pools and reference history from the store, without a request to the chain. */
export const loadIndex = async (deps: IndexerDeps, parts: IndexerParts): Promise<void> => {
  const { store, clock, logger, historyDays } = deps
  parts.events.on('depthsRecorded', (done, total) =>
    logger.info('Stored the depth of pools that had none', { done, total }),
  )
  await parts.index.load()
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

/** Records the sources that this configuration does not have as disabled. */
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

/** `refused`: the store or the endpoint belongs to another chain, so waiting does not help. */
export type StartupResult =
  | { readonly kind: 'ready' | 'wait' }
  | { readonly kind: 'refused'; readonly reason: string }

const reportWaiting = async (
  { logger }: IndexerDeps,
  parts: IndexerParts,
  reason: string,
): Promise<StartupResult> => {
  logger.warn('Waiting for the chain', { reason })
  await parts.reportSwaps.failure(reason)
  await parts.reportPools.failure(reason)
  return { kind: 'wait' }
}

/**
 * The store's first block is another one if the network file's first start block has changed: then
 * the chain must have the store's finalized block, or its newest, and the store gets the new one.
 */
const readChainProof = async (
  { chain, store }: IndexerDeps,
  originHash: Hash,
): Promise<Outcome<BlockRef | null, RpcFault>> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  const stored = header?.identity.originHash ?? null
  const proof = header?.finalizedCursor ?? header?.cursor ?? null
  if (stored === null || stored === originHash || proof === null) return success(null)
  const found = await chain.getBlockRef(proof.block)
  // A chain without that block is another one.
  const isAbsent = !found.ok && (found.fault.kind === 'behind' || found.fault.kind === 'rejected')
  if (isAbsent) return success(null)
  if (!found.ok) return found
  return success(found.value.hash === proof.hash ? proof : null)
}

/** Claims the store for the chain; returns the reason if it belongs to another one. */
export const claimStore = async (
  { store, network }: IndexerDeps,
  {
    originHash,
    startedTs,
    proof = null,
  }: {
    readonly originHash: Hash | null
    readonly startedTs: UnixSeconds
    readonly proof?: BlockRef | null
  },
): Promise<string | null> => {
  const { chainId, name } = network
  const claimed = await store.claim({ chainId, network: name, originHash }, startedTs, proof)
  return claimed === 'ready' ? null : `the store holds another chain than this ${name} (${chainId})`
}

/** Requests everything in parallel. */
const readTokens = async ({ contracts, stocks, feeds, tokens, wanted }: IndexerParts) => {
  await stocks.list()
  for (const { address } of wanted()) tokens.request(address)
  const areRead = await Promise.all([
    contracts.refresh(),
    stocks.read(),
    feeds.refresh(),
    tokens.refresh(),
  ])
  return !areRead.includes(false)
}

/** Reads everything of the chain that must be known before the first log. */
export const waitForChain = async (
  deps: IndexerDeps,
  parts: IndexerParts,
  startedTs: UnixSeconds,
): Promise<StartupResult> => {
  // The heads are cached: the tokens are read at the newest block.
  const [origin] = await Promise.all([
    deps.chain.getBlockRef(deps.network.origin),
    parts.heads.read(),
  ])
  if (!origin.ok) {
    const fault = describeFault(origin.fault)
    if (origin.fault.kind !== 'wrong-chain') return reportWaiting(deps, parts, fault)
    await parts.reportSwaps.failure(fault)
    return { kind: 'refused', reason: origin.fault.detail }
  }
  const originHash = origin.value.hash
  const proof = await readChainProof(deps, originHash)
  if (!proof.ok) return reportWaiting(deps, parts, describeFault(proof.fault))
  const reason = await claimStore(deps, { originHash, startedTs, proof: proof.value })
  if (reason !== null) return { kind: 'refused', reason }
  // Without verified stocks every pool would be skipped and never read again.
  const isRead = await readTokens(parts)
  return isRead ? { kind: 'ready' } : reportWaiting(deps, parts, 'failed to read the tokens')
}
