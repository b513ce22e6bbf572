import { readFileSync } from 'node:fs'
import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { parseNetworkFile } from '../../src/config/network-file.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import type { Address } from '../../src/domain/units.ts'
import { readData } from './read-data.ts'

type ClonedPool = {
  readonly chainId: number
  readonly deployer: Address
  readonly token0: Address
  readonly token1: Address
  readonly tickSpacing: number
  readonly address: Address
}

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const text = read('src/networks/base.json')
const file = parseNetworkFile(text, '/')
if (!file.ok) throw new Error(file.fault)
const { network } = file.value

it('follows the venues of Base whose protocols are read', () => {
  expect(network.venues.map(({ name, startBlock }) => [name, startBlock])).toEqual([
    ['Uniswap v3', 1_371_680],
    ['Uniswap v4', 25_350_988],
    ['PancakeSwap v3', 2_912_007],
    ['Aerodrome Slipstream', 13_843_704],
    ['Aerodrome Slipstream', 36_953_918],
    ['Aerodrome Slipstream', 44_394_724],
    ['Aerodrome Slipstream', 13_843_704],
    ['PancakeSwap Infinity', 30_544_106],
  ])
})

it('has no address that docs/protocols.md does not give with its sources', () => {
  const documented = read('docs/protocols.md').toLowerCase()
  const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
  const addresses = text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? []
  expect(addresses.length).toBeGreaterThan(30)
  const unknown = addresses
    .map((address) => address.toLowerCase())
    .filter((address) => address !== `0x${'0'.repeat(40)}` && !documented.includes(address))
  expect([...new Set(unknown)]).toEqual([multicall3])
})

const weth: Address = '0x4200000000000000000000000000000000000006'
const usdc: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

it.each<readonly [string, number, Address]>([
  ['Uniswap v3', 500, '0xd0b53d9277642d899df5c87a3966a349a798f224'],
  ['PancakeSwap v3', 100, '0x72ab388e2e2f6facef59e3c3fa2c4e29011c2d38'],
])('leads to the address of the WETH / USDC pool of %s with the fee %i', (name, fee, address) => {
  const venue = network.venues.find((each) => each.name === name)
  const key = { token0: weth, token1: usdc, fee, tickSpacing: 0, hooks: null }
  expect(venue && getProtocol(venue.protocol).computeId(key, venue, keccak256)).toBe(address)
})

it('leads to the addresses of all recorded pools of Slipstream on Base', () => {
  const pools = readData<ClonedPool[]>('fork-pools').filter(({ chainId }) => chainId === 8453)
  expect(pools).toHaveLength(13)
  for (const { deployer, address, ...pair } of pools) {
    const venue = network.venues.find((each) => each.address === deployer)
    const key = { ...pair, fee: 0, hooks: null }
    expect(venue && getProtocol(venue.protocol).computeId(key, venue, keccak256)).toBe(address)
  }
})

it('has the thirteen stocks of the list, each with its feed in dollars per token', () => {
  const { tokens } = network.stocks
  expect(tokens).toHaveLength(13)
  for (const { symbol, decimals, feed, standard } of tokens) {
    expect(symbol).toMatch(/^[A-Z]+c$/)
    expect(decimals).toBe(8)
    expect(feed).not.toBeNull()
    expect(standard).toMatchObject({ proof: 'erc8056', feedPer: 'token', rebasing: false })
  }
  expect(new Set(tokens.map(({ address }) => address)).size).toBe(13)
  expect(new Set(tokens.map(({ feed }) => feed)).size).toBe(13)
})
