import type { HttpClient } from '../net/http-client.ts'
import type { ChainReader } from '../ports/chain-reader.ts'
import type { QuoteSource } from '../ports/sources.ts'
import { createChainlinkSource } from './chainlink.ts'
import { createFileSource } from './file-source.ts'
import { createIssuerSource } from './issuer-source.ts'

export type QuoteSourceDeps = {
  readonly chainId: number
  readonly httpClient: HttpClient
  readonly chain: Pick<ChainReader, 'callContracts'>
}

/** Settings of each kind of source in a network file. */
export type QuoteSourceSettings = {
  readonly issuer: { readonly url: string }
  readonly chainlink: unknown
  readonly file: { readonly path: string }
}

/** One source of a network file: its kind and settings. */
type Spec<Of, Kind extends keyof Of> = { readonly kind: Kind } & Of[Kind]

type Factories<Of> = {
  readonly [Kind in keyof Of]: (spec: Spec<Of, Kind>, deps: QuoteSourceDeps) => QuoteSource
}

export type QuoteSourceSpec = {
  [Kind in keyof QuoteSourceSettings]: Spec<QuoteSourceSettings, Kind>
}[keyof QuoteSourceSettings]

/** All quote sources that a network file may name. */
export const quoteSources: Factories<QuoteSourceSettings> = {
  issuer: ({ url }, deps) => createIssuerSource({ ...deps, url }),
  chainlink: (_, deps) => createChainlinkSource(deps),
  file: ({ path }) => createFileSource({ path }),
}

export const createQuoteSource = <Of, Kind extends keyof Of>(
  factories: Factories<Of>,
  spec: Spec<Of, Kind>,
  deps: QuoteSourceDeps,
): QuoteSource => {
  const kind: Kind = spec.kind
  return factories[kind](spec, deps)
}
