import type { Outbound } from '../net/outbound.ts'
import type { ChainReader } from '../ports/chain.ts'
import type { QuoteSource } from '../ports/sources.ts'
import { createChainlinkSource } from './chainlink.ts'
import { createFileSource } from './file.ts'
import { createIssuerSource } from './issuer.ts'

/** What a network file says of each kind of source. */
type Settings = {
  readonly issuer: { readonly url: string }
  readonly chainlink: unknown
  readonly file: { readonly path: string }
}
type Kind = keyof Settings

export type QuoteSourceSpec<K extends Kind = Kind> = {
  [Each in K]: { readonly kind: Each } & Settings[Each]
}[K]

/** What sources are made of; each takes what it needs. */
export type QuoteSourceDeps = {
  readonly chainId: number
  readonly outbound: Outbound
  readonly chain: Pick<ChainReader, 'calls'>
}

type Factory<K extends Kind> = (spec: QuoteSourceSpec<K>, deps: QuoteSourceDeps) => QuoteSource

/** All quote sources: one line each. */
const factories: { readonly [K in Kind]: Factory<K> } = {
  issuer: ({ url }, deps) => createIssuerSource({ ...deps, url }),
  chainlink: (_, deps) => createChainlinkSource(deps),
  file: ({ path }) => createFileSource({ path }),
}

export const createQuoteSource = <K extends Kind>(
  spec: QuoteSourceSpec<K>,
  deps: QuoteSourceDeps,
): QuoteSource => factories[spec.kind](spec, deps)
