import { readFileSync } from 'node:fs'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseNetworkFile } from '../../src/config/network-file.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import type { Address } from '../../src/domain/units.ts'
import { readData } from './read-data.ts'

type Feed = { name: string; kind: string; symbol?: string; proxy: string; decimals: number }
type Deployment = { contract: string; address: Address; block: number }
type Token = { symbol: string; address: string; sources: readonly string[] }
type Named = { symbol: string; token: string }
type ForkPool = {
  chainId: number
  venue: string
  token0: Address
  token1: Address
  fee?: number
  tickSpacing?: number
  address: Address
}
type Key = { source: string; token0: string; token1: string }

const readNetwork = () => {
  const url = new URL('../../src/networks/robinhood.json', import.meta.url)
  const file = parseNetworkFile(readFileSync(url, 'utf8'), '/')
  if (!file.ok) throw new Error(file.fault)
  return file.value.network
}

const network = readNetwork()
const shipped = new Map(network.stocks.tokens.map((token) => [token.address, token]))
const lower = (address: string) => address.toLowerCase() as Address
const recorded = readData<Token[]>('stock-tokens')
const isListedBy = (source: string) => (token: Token) => token.sources.includes(source)

describe("networks/robinhood.json's contracts", () => {
  const deployments = readData<Deployment[]>('deployments')
  const deploymentOf = (name: string) => deployments.find(({ contract }) => contract === name)

  it('are those of the receipts, from the blocks of their deployment', () => {
    const factory = deploymentOf('UniswapV3Factory')
    const manager = deploymentOf('PoolManager')
    const uniswap = network.venues.filter(({ name }) => name.startsWith('Uniswap'))
    expect(uniswap).toMatchObject([
      { protocol: 'uniswap-v3', address: factory?.address, startBlock: factory?.block },
      {
        protocol: 'uniswap-v4',
        address: manager?.address,
        stateView: deploymentOf('StateView')?.address,
        startBlock: manager?.block,
      },
    ])
  })

  it('are those of other DEXes too', () => {
    expect(network.venues.map(({ name, protocol }) => [name, protocol])).toEqual([
      ['Uniswap v3', 'uniswap-v3'],
      ['SushiSwap v3', 'uniswap-v3'],
      ['RobinSwap v3', 'uniswap-v3'],
      ['Uniswap v4', 'uniswap-v4'],
      ['PancakeSwap v3', 'pancakeswap-v3'],
      ['GIGA', 'pancakeswap-v3'],
      ['Up', 'slipstream'],
      ['Alandale', 'algebra-integral'],
      ['Kittenswap', 'algebra-integral'],
      ['PancakeSwap Infinity', 'pancakeswap-infinity-cl'],
      ['Orvex', 'pancakeswap-infinity-cl'],
      ['Ramses v3', 'ramses-v3'],
    ])
  })

  it('lead to the addresses of their known pools', () => {
    const pools = readData<ForkPool[]>('fork-pools').filter(({ chainId }) => chainId === 4663)
    const followed = network.venues.flatMap((venue) =>
      pools
        .filter((pool) => pool.venue === venue.name)
        .map(({ token0, token1, fee = 0, tickSpacing = 0, address }) => {
          const key = { token0, token1, fee, tickSpacing, hooks: null }
          const { computeId } = getProtocol(venue.protocol)
          expect(computeId(key, venue, keccak256)).toBe(address)
          return venue.name
        }),
    )
    expect(followed).toEqual([
      ...['SushiSwap v3', 'SushiSwap v3', 'RobinSwap v3', 'GIGA', 'Up', 'Alandale'],
      ...['Kittenswap', 'Ramses v3', 'Ramses v3', 'Ramses v3'],
    ])
  })

  it('have their feeds: those of equities by the ticker, none of them computed from a DEX', () => {
    const feeds = readData<Feed[]>('feeds')
    expect(feeds).toHaveLength(58)
    const equities = feeds.filter(({ kind }) => kind === 'tokenizedEquity')
    const fed = network.stocks.tokens.filter(({ feed }) => feed !== null)
    expect(fed.map(({ symbol, feed }) => [symbol, feed])).toEqual(
      equities
        .map(({ symbol = '', proxy }) => [symbol, lower(proxy)])
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    )
    expect(fed).toHaveLength(35)
    const feedOf = (name: string) => lower(feeds.find((feed) => feed.name === name)?.proxy ?? '')
    expect(network.trustedQuotes.map(({ symbol, feed }) => [symbol, feed])).toEqual([
      ['USDG', feedOf('USDG / USD')],
      ['WETH', feedOf('ETH / USD')],
      ['ETH', feedOf('ETH / USD')],
    ])
  })
})

describe("networks/robinhood.json's stocks", () => {
  it('are 196: all of the issuer, what three lists agree on, and two that it named later', () => {
    const issuer = recorded.filter(isListedBy('rhj'))
    const agreed = recorded.filter((token) => !isListedBy('rhj')(token) && token.sources.length > 2)
    const later = recorded.filter(({ symbol }) => ['QNT', 'WEEK'].includes(symbol))
    expect([issuer, agreed, later].map(({ length }) => length)).toEqual([96, 98, 2])
    expect([...shipped.values()].map(({ symbol, address }) => `${symbol} ${address}`)).toEqual(
      [...issuer, ...agreed, ...later]
        .map(({ symbol, address }) => `${symbol} ${lower(address)}`)
        .toSorted(),
    )
  })

  it('leave out what only one or two lists contain: among them is a meme', () => {
    const left = recorded.filter(({ address }) => !shipped.has(lower(address)))
    expect(left.map(({ symbol }) => symbol)).toEqual(
      'ARM CASHCAT DRAM JEPQ NASA NOK RVI ZETA'.split(' '),
    )
  })

  it('carry tickers of their own', () => {
    const symbols = network.stocks.tokens.map(({ symbol }) => symbol)
    expect(new Set(symbols).size).toBe(symbols.length)
  })

  it('hold every token that is known to have changed its multiplier', () => {
    for (const { symbol, token } of readData<Named[]>('multiplier-events')) {
      expect(shipped.get(lower(token))?.symbol).toBe(symbol)
    }
  })

  it('are one side of every recorded pool of the chain, but of three of ETH or WETH', () => {
    const keys = [...readData<Key[]>('v4-pool-keys'), ...readData<Key[]>('v3-pool-addresses')]
    const pools = keys.filter(({ source }) => source !== 'degenbot')
    expect(pools).toHaveLength(196)
    const without = pools.filter(
      ({ token0, token1 }) => !shipped.has(lower(token0)) && !shipped.has(lower(token1)),
    )
    expect(without).toHaveLength(3)
    const trusted = network.trustedQuotes.map(({ address }) => address)
    for (const { token0 } of without) expect(trusted).toContain(lower(token0))
  })
})
