import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters } from 'viem'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { slipstream } from '../../src/domain/dex/slipstream/decode.ts'
import type { Address, Hex } from '../../src/domain/units.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { eventually } from '../service/api.ts'
import { clientOf, launch, stop } from '../service/launch.ts'
import type { Behaviour } from '../support/rpc/fake-contracts.ts'
import { logOf, word } from '../support/rpc/fake-node.ts'
import { startRecordedNode } from '../support/rpc/recorded-node.ts'

/*
 * The shipped network file on a node that answers as Base does: B20 tokens answer multiplier()
 * and revert on uiMultiplier(), as they were read on the chain (docs/protocols.md).
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-base-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const shipped = JSON.parse(
  readFileSync(new URL('../../src/networks/base.json', import.meta.url), 'utf8'),
)
const path = join(directory, 'base.json')
// No request leaves the machine.
writeFileSync(path, JSON.stringify({ ...shipped, screener: null }))

const head = 45_000_000
/** The factory of the stock pools, and its pool of NVDAc and USDC (fork-pools.json). */
const factory = shipped.slipstream[2].factory.toLowerCase() as Address
const pool: Address = '0x853f5f1b92b16714fe6cda67caad0856b83c7ab9'
const tickSpacing = 10
const usdc = shipped.trustedQuotes[0].address.toLowerCase() as Address
const nvda = shipped.stocks.tokens
  .find(({ symbol }: { symbol: string }) => symbol === 'NVDAc')
  .address.toLowerCase() as Address
const tokens = new Map<string, number>([
  ...shipped.stocks.tokens.map(({ address }: { address: string }) => [address.toLowerCase(), 8]),
  ...shipped.trustedQuotes.map((quote: { address: string; decimals: number }) => [
    quote.address.toLowerCase(),
    quote.decimals,
  ]),
])
const feeds = new Map<string, bigint>([
  ...shipped.stocks.tokens.map(({ feed }: { feed: string }) => [
    feed.toLowerCase(),
    18_000_000_000n,
  ]),
  [shipped.trustedQuotes[0].feed.toLowerCase(), 100_000_000n],
  [shipped.trustedQuotes[1].feed.toLowerCase(), 300_000_000_000n],
])
const stocks = new Set(
  shipped.stocks.tokens.map((t: { address: string }) => t.address.toLowerCase()),
)

const returns = (...values: readonly bigint[]): Behaviour => ({
  returns: encodeAbiParameters(
    values.map(() => ({ type: 'uint256' })),
    values,
  ),
})

const nowSeconds = () => BigInt(Math.floor(Date.now() / 1000))

/** The answers of tokens, feeds and the pool; anything else reverts. */
const behaviourOf = (address: Address, data: Hex): Behaviour => {
  const selector = data.slice(0, 10)
  const decimals = tokens.get(address)
  if (selector === '0x313ce567' && decimals !== undefined) return returns(BigInt(decimals))
  if (selector === '0x313ce567' && feeds.has(address)) return returns(8n)
  if (selector === '0x1b3ed722' && stocks.has(address)) return returns(10n ** 18n)
  const answer = feeds.get(address)
  if (selector === '0xfeaf968c' && answer !== undefined) {
    return returns(7n, answer, nowSeconds(), nowSeconds(), 7n)
  }
  return { returns: 'revert' }
}

const topicOf = (address: Address): Hex => word(BigInt(address))

/** A node near Base's head, with the pool of NVDAc on Slipstream. */
const startNode = async (chainId: number) => {
  const created = logOf(44_500_000, 1, {
    address: factory,
    topics: [
      [...slipstream.creationEvents.keys()][0],
      topicOf(usdc),
      topicOf(nvda),
      word(tickSpacing),
    ],
    data: topicOf(pool),
  })
  const initialized = logOf(44_500_000, 0, {
    address: pool,
    topics: ['0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95'],
    data: `0x${word(2n ** 96n).slice(2)}${word(0).slice(2)}`,
  })
  return startRecordedNode({ chainId, head, logs: [initialized, created], behaviourOf })
}

test('the network file of Base starts on a node of Base, with its stocks proved', async () => {
  const node = await startNode(8453)
  const store = `sqlite:${join(directory, 'base.db')}`
  const running = launch(
    [
      'start',
      '--network',
      path,
      '--rpc',
      node.url,
      '--store',
      store,
      '--port',
      '0',
      '--rate-limit',
      '0',
    ],
    { directory },
  )
  onTestFinished(async () => {
    expect(await stop(running)).toBe(0)
  })
  const api = await clientOf(running)
  const readStocks = () => api.readAll<StockView>('/api/v1/stocks')
  const rows = await eventually(readStocks, (all) => all.length === 13, { msMax: 60_000 })
  const row = rows.find(({ symbol }) => symbol === 'NVDAc')
  expect(row).toMatchObject({ address: nvda, multiplier: `1.${'0'.repeat(18)}` })
  const readPools = () => api.readAll<PoolView>('/api/v1/pools?venue=aerodrome%20slipstream')
  const pools = await eventually(readPools, (all) => all.length > 0, { msMax: 60_000 })
  expect(pools).toMatchObject([{ id: pool, protocol: 'slipstream', kind: 'canonical' }])
  const { chain } = await api.read<{ chain: { chainId: number; network: string } }>(
    '/api/v1/status',
  )
  expect(chain).toMatchObject({ chainId: 8453, network: 'base' })
}, 120_000)

test('a node of another chain is refused in a sentence', async () => {
  const node = await startNode(4663)
  const store = `sqlite:${join(directory, 'other.db')}`
  const { code, stderr } = await launch(
    [
      'start',
      '--network',
      path,
      '--rpc',
      node.url,
      '--store',
      store,
      '--port',
      '0',
      '--rate-limit',
      '0',
    ],
    { directory },
  ).ended
  expect(stderr).toMatch(/^stockpools: [^\n]*chain ID is 4663, expected 8453[^\n]*\n$/)
  expect(code).toBe(1)
}, 60_000)
