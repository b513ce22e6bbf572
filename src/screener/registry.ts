import type { HttpClient } from '../net/http-client.ts'
import type { Screener } from '../ports/sources.ts'
import { createDexScreener } from './dexscreener.ts'
import { createGeckoTerminal } from './geckoterminal.ts'

/** All screeners that a network file may name. */
const factories = {
  dexscreener: createDexScreener,
  geckoterminal: createGeckoTerminal,
} as const

export type ScreenerSpec = {
  readonly kind: keyof typeof factories
  /** Without a trailing slash. */
  readonly url: string
  /** The screener's name of the chain. */
  readonly chain: string
}

export const createScreener = (
  { kind, url, chain }: ScreenerSpec,
  deps: { readonly httpClient: HttpClient },
): Screener => factories[kind]({ ...deps, url, chain })
