/** The fields of a DexScreener pair that GeckoTerminal also has. */
export type Pair = {
  readonly chainId: string
  readonly pairAddress: string
  readonly labels: readonly string[]
  readonly baseToken: Label
  readonly quoteToken: Label
  readonly priceUsd: string
  readonly txns: Readonly<Record<string, { readonly buys: number; readonly sells: number }>>
  readonly volume: Readonly<Record<string, number>>
  readonly liquidity: { readonly usd: number }
  readonly fdv: number
}

type Label = { readonly address: string; readonly symbol: string }

/** An item of GeckoTerminal's `/networks/{chain}/pools/multi/{ids}` (numbers as strings). */
export const toGeckoItem = (pair: Pair) => {
  const { chainId, baseToken, quoteToken } = pair
  const tokenOf = ({ address }: Label) => ({
    data: { id: `${chainId}_${address.toLowerCase()}`, type: 'token' },
  })
  const address = pair.pairAddress.toLowerCase()
  const volumes = Object.entries(pair.volume).map(([name, usd]) => [name, String(usd)])
  return {
    id: `${chainId}_${address}`,
    type: 'pool',
    attributes: {
      base_token_price_usd: pair.priceUsd,
      address,
      name: `${baseToken.symbol} / ${quoteToken.symbol}`,
      fdv_usd: String(pair.fdv),
      market_cap_usd: null,
      transactions: pair.txns,
      volume_usd: Object.fromEntries(volumes),
      reserve_in_usd: String(pair.liquidity.usd),
    },
    relationships: {
      base_token: tokenOf(baseToken),
      quote_token: tokenOf(quoteToken),
      dex: { data: { id: `uniswap-${pair.labels[0]}-${chainId}`, type: 'dex' } },
    },
  }
}
