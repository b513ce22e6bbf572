import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3'
import type { Config } from '../../config/config.ts'
import type { Network } from '../../config/network.ts'
import type { IndexerDeps } from '../../indexer/deps.ts'
import { createHttpClient } from '../../net/http-client.ts'
import { systemTimer } from '../../net/timer.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StockListSource } from '../../ports/sources.ts'
import { createIssuerRegistry } from '../../quotes/issuer-registry.ts'
import { createQuoteSource, type QuoteSourceSpec, quoteSources } from '../../quotes/registry.ts'
import { createChainReader, type RpcChainReader } from '../../rpc/chain-reader.ts'
import { createScreener } from '../../screener/registry.ts'

type QuoteTarget = Network['quoteSources'][number]

const toQuoteSourceSpec = (target: QuoteTarget): QuoteSourceSpec =>
  target.kind === 'issuer' ? { kind: 'issuer', url: target.url.reveal() } : target

export const keccak256: IndexerDeps['keccak256'] = (bytes) =>
  `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`

const sha256: IndexerDeps['sha256'] = (text) =>
  `0x${createHash('sha256').update(text).digest('hex')}`

/** Chance, from 0 to 1, 1 excluded. */
export const systemRandom = Math.random

type Adapters = Pick<
  IndexerDeps,
  'quoteSources' | 'registry' | 'screener' | 'keccak256' | 'sha256' | 'random'
> & { readonly chain: RpcChainReader }

/** Creates the adapters for chain, quotes, stock registry and screener. */
export const createAdapters = (
  config: Config,
  deps: { readonly logger: Logger; readonly signal: AbortSignal },
): Adapters => {
  const { network } = config
  const { chainId, multicall3, finality } = network
  const httpClient = createHttpClient({ signal: deps.signal })
  const chain = createChainReader({
    urls: config.rpcUrls.map((url) => url.reveal()),
    chainId,
    multicall3,
    finality,
    httpClient,
    timer: systemTimer,
    random: systemRandom,
    ...deps,
  })
  const { registryUrl } = network.stocks
  const registry: StockListSource | null =
    registryUrl === null
      ? null
      : createIssuerRegistry({ url: registryUrl.reveal(), chainId, httpClient })
  const screener =
    network.screener === null
      ? null
      : createScreener({ ...network.screener, url: network.screener.url.reveal() }, { httpClient })
  const sources = { chainId, httpClient, chain }
  const configuredSources = network.quoteSources.map((target) =>
    createQuoteSource(quoteSources, toQuoteSourceSpec(target), sources),
  )
  return {
    ...{ chain, registry, screener, keccak256, sha256 },
    quoteSources: configuredSources,
    random: systemRandom,
  }
}
