import type { HttpClient } from '../net/http-client.ts'
import type { Screener } from '../ports/sources.ts'
import { createDexScreener } from './dexscreener.ts'
import { createGeckoTerminal } from './geckoterminal.ts'

/** All screeners: one line each. The network file may name any of them. */
const factories = {
  dexscreener: createDexScreener,
  geckoterminal: createGeckoTerminal,
} as const

export type ScreenerSpec = {
  readonly kind: keyof typeof factories
  /** Without a slash at the end. */
  readonly url: string
  /** The chain's name in the screener's own terms. */
  readonly chain: string
}

export const createScreener = (
  { kind, url, chain }: ScreenerSpec,
  deps: { readonly httpClient: HttpClient },
): Screener => factories[kind]({ ...deps, url, chain })
