import { selectTrustedReference } from '../domain/price/reference-price.ts'
import type { Policy } from '../domain/status/freshness.ts'
import type { SourceView } from '../domain/status/source-state.ts'
import {
  initialSourceRecord,
  type SourceId,
  sourceIds,
  toSourceView,
} from '../domain/status/source-state.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import { type Address, nativeAddress, type UnixSeconds } from '../domain/units.ts'
import type { ChainView } from '../domain/views/service.ts'
import type { ReadModel } from './model/read-model.ts'

type At = { readonly now: UnixSeconds; readonly policy: Policy }

/** All four rows, whatever the store holds of them; `isEnabled` is this process's configuration. */
export const toSourceViews = (
  model: ReadModel | null,
  isEnabled: (source: SourceId) => boolean,
  { now, policy }: At,
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

/** What one ETH is worth: the reference of the native coin, else of its wrapped form. */
export const findEthUsd = (
  model: ReadModel | null,
  trusted: readonly TrustedToken[],
  { now, policy }: At,
): number | null => {
  const usdOf = (address: Address): number | null => {
    const quotes = model?.quotes.get(address) ?? []
    const { reference } = selectTrustedReference({ quotes, policy, now })
    // No status stands beside this number, so only a fresh one may be told.
    return reference?.fresh ? reference.usd : null
  }
  const wrapped = trusted.filter(isEther).map(({ address }) => address)
  return [nativeAddress, ...wrapped].map(usdOf).find((usd) => usd !== null) ?? null
}

/** Where the index stands against the chain; what is not known yet is null. */
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
  const [indexed, head] = [header?.cursor ?? null, header?.head ?? null]
  return {
    chainId: header?.identity.chainId ?? network.chainId,
    network: header?.identity.network ?? network.name,
    headBlock: head?.block ?? null,
    indexedBlock: indexed?.block ?? null,
    indexedTs: indexed?.ts ?? null,
    settledBlock: header?.finalizedCursor?.block ?? null,
    lagBlocks: head === null || indexed === null ? null : head.block - indexed.block,
    lagSeconds: indexed === null ? null : now - indexed.ts,
    backfill: { ...(header?.progress ?? { phase: 'discover', done: 0, total: 0 }), etaSeconds },
    verified: header?.crossChecked ?? false,
    repairs: header?.repairs ?? 0,
    writer,
  }
}
