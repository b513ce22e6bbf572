import type { Venues } from '../domain/dex/venue.ts'
import { selectTrustedReference } from '../domain/price/reference-price.ts'
import type { Policy } from '../domain/status/freshness.ts'
import { isComplete } from '../domain/status/pool-search.ts'
import {
  initialSourceRecord,
  type SourceId,
  type SourceView,
  sourceIds,
  toSourceView,
} from '../domain/status/source-state.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import { type Address, nativeAddress, type UnixSeconds } from '../domain/units.ts'
import type { ChainView, VenueCoverageView } from '../domain/views/service.ts'
import type { ReadModel } from './model/read-model.ts'

type ClockAndPolicy = { readonly now: UnixSeconds; readonly policy: Policy }

/** Returns a view of every source, stored or not. `isEnabled` is this process's configuration. */
export const toSourceViews = (
  model: ReadModel | null,
  isEnabled: (source: SourceId) => boolean,
  { now, policy }: ClockAndPolicy,
): readonly SourceView[] => {
  const startedTs = model?.header.writerStartedTs ?? null
  return sourceIds.map((source) => {
    const stored = model?.sources.find((record) => record.source === source)
    const record = stored ?? initialSourceRecord(source, true)
    const enabled = record.enabled && isEnabled(source)
    return toSourceView({ ...record, enabled }, { now, policy, startedTs })
  })
}

const isEther = ({ symbol, address }: TrustedToken): boolean =>
  address === nativeAddress || symbol === 'WETH' || symbol === 'ETH'

/** The fresh reference price of the native coin, else of its wrapped form. */
export const findEthUsd = (
  model: ReadModel | null,
  trusted: readonly TrustedToken[],
  { now, policy }: ClockAndPolicy,
): number | null => {
  const usdOf = (address: Address): number | null => {
    const quotes = model?.quotes.get(address) ?? []
    const { reference } = selectTrustedReference({ quotes, isDollar: false, policy, now })
    // The API shows this number without a status, so it must be fresh.
    return reference?.fresh ? reference.usd : null
  }
  const wrapped = trusted.filter(isEther).map(({ address }) => address)
  return [nativeAddress, ...wrapped].map(usdOf).find((usd) => usd !== null) ?? null
}

/** Unknown values are null. */
export const toChainView = (
  model: ReadModel | null,
  network: { readonly name: string; readonly chainId: number },
  {
    now,
    etaSeconds,
    writer,
  }: {
    readonly now: UnixSeconds
    readonly etaSeconds: number | null
    readonly writer: ChainView['writer']
  },
): ChainView => {
  const header = model?.header
  const [cursor, head] = [header?.cursor ?? null, header?.head ?? null]
  return {
    chainId: header?.identity.chainId ?? network.chainId,
    network: header?.identity.network ?? network.name,
    headBlock: head?.block ?? null,
    indexedBlock: cursor?.block ?? null,
    indexedTs: cursor?.ts ?? null,
    settledBlock: header?.finalizedCursor?.block ?? null,
    lagBlocks: head === null || cursor === null ? null : head.block - cursor.block,
    lagSeconds: cursor === null ? null : now - cursor.ts,
    backfill: { ...(header?.progress ?? { phase: 'discover', done: 0, total: 0 }), etaSeconds },
    verified: header?.crossChecked ?? false,
    repairs: header?.repairs ?? 0,
    searches: (model?.searches ?? []).filter((search) => !isComplete(search)),
    coverage: header?.coverage ?? null,
    writer,
  }
}

/** A row of every venue, checked or not. */
export const toCoverageViews = (
  model: ReadModel | null,
  venues: Venues,
): readonly VenueCoverageView[] =>
  [...venues.values()].map(({ name: venue, address }) => {
    const stored = model?.header.coveragePass?.venues.find((row) => row.address === address)
    const { pools = null, expected = null, checkedBlock = null } = stored ?? {}
    return { venue, address, pools, expected, checkedBlock }
  })
