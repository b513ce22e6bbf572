import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters } from 'viem'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import type { Address, Hex } from '../../src/domain/units.ts'
import type { PoolDetailView } from '../../src/domain/views/pool.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import { eventually } from '../service/api.ts'
import { clientOf, launch, stop } from '../service/launch.ts'
import type { Behaviour } from '../support/rpc/fake-contracts.ts'
import { hashOf, quantity, tsOf } from '../support/rpc/fake-node.ts'
import { startRecordedNode } from '../support/rpc/recorded-node.ts'
import { readData } from './read-data.ts'

/*
 * The service on recorded logs of PancakeSwap Infinity, of which there are no artifacts to deploy
 * in the sandbox: a pool of BNB Chain, whose token0 a network file lists as a stock.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-infinity-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

type Recorded = ChainLog & { readonly name: string }

const recorded = readData<Recorded[]>('fork-logs').filter(({ name }) => name.startsWith('Infinity'))
const [, modified, swap] = recorded as [Recorded, Recorded, Recorded]
const manager = swap.address
const poolId = swap.topics[1] as Hex
const [stock, dollar] = (recorded[0]?.topics.slice(2) ?? []).map(
  (topic): Address => `0x${topic.slice(-40)}`,
) as [Address, Address]
const head = swap.block + 30

/** As a node returns it, on the chain of the test's node: the recording has no times. */
const logs = recorded.map(({ block, txHash, txIndex, logIndex, address, topics, data }) => ({
  ...{ address, topics, data, removed: false },
  ...{ blockNumber: quantity(block), blockHash: hashOf(block) },
  ...{ blockTimestamp: quantity(tsOf(block)), transactionHash: txHash },
  ...{ transactionIndex: quantity(txIndex ?? 0), logIndex: quantity(logIndex) },
}))

const uints = (...values: readonly bigint[]): Behaviour => ({
  returns: encodeAbiParameters(
    values.map(() => ({ type: 'int256' })),
    values,
  ),
})
const wordAt = (data: Hex, at: number) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`)
/** After the recorded swap, with the fees that it paid: 18 of the protocol, and 37. */
const slot0 = uints(wordAt(swap.data, 2), wordAt(swap.data, 4), 18n << 12n, 37n)

const behaviourOf = (address: Address, data: Hex): Behaviour => {
  const selector = data.slice(0, 10)
  if (selector === '0x313ce567' && (address === stock || address === dollar)) return uints(18n)
  if (address !== manager) return { returns: 'revert' }
  if (selector === '0xfbfa77cf') return uints(7n)
  const isPool = data.endsWith(poolId.slice(2))
  if (selector === '0xc815641c') return isPool ? slot0 : uints(0n, 0n, 0n, 0n)
  if (selector === '0xfa6793d5' && isPool) return uints(wordAt(modified.data, 2))
  return { returns: 'revert' }
}

const network = {
  name: 'infinity',
  chainId: 56,
  rpcUrls: [],
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  pancakeswapInfinity: [{ poolManager: manager, startBlock: modified.block - 5 }],
  wrappedNative: `0x${'9'.repeat(40)}`,
  trustedQuotes: [{ symbol: 'USDT', address: dollar, decimals: 18, feed: null }],
  stocks: {
    beacon: null,
    proof: 'listed',
    registryUrl: null,
    tokens: [{ symbol: 'STK', name: 'Stock', address: stock, decimals: 18, feed: null }],
  },
  quoteSources: [],
  screener: null,
  finality: 'finalized',
  confirmations: 2,
}

test('a recorded pool of PancakeSwap Infinity is followed, checked and quoted', async () => {
  const node = await startRecordedNode({ chainId: 56, head, logs, behaviourOf })
  const path = join(directory, 'infinity.json')
  writeFileSync(path, JSON.stringify({ ...network, rpcUrls: [node.url] }))
  const store = `sqlite:${join(directory, 'infinity.db')}`
  const running = launch(
    ['start', '--network', path, '--store', store, '--port', '0', '--rate-limit', '0'],
    { directory },
  )
  onTestFinished(async () => {
    expect(await stop(running)).toBe(0)
  })
  const api = await clientOf(running)
  const read = async () => {
    const { status, text } = await api.ask(`/api/v1/pools/${poolId}`)
    return status === 200 ? (JSON.parse(text) as PoolDetailView) : null
  }
  const detail = await eventually(read, (found) => found !== null && found.swaps.length > 0)
  expect(detail?.pool).toMatchObject({
    ...{ id: poolId, version: 'v4', protocol: 'pancakeswap-infinity-cl' },
    ...{ venue: 'PancakeSwap Infinity', token0: stock, token1: dollar },
    ...{ fee: 37, tickSpacing: 1, tick: 65_972, lastSwapFee: 55 },
    sqrtPriceX96: wordAt(swap.data, 2).toString(),
    liquidity: wordAt(modified.data, 2).toString(),
    hooks: `0x${'0'.repeat(40)}`,
    parameters: `0x${'10000'.padStart(64, '0')}`,
    hookFlags: { beforeSwap: false, afterSwap: false },
    reserveSource: 'ticks',
  })
  // The swapper receives the stock, so it leaves the pool.
  expect(detail?.swaps).toMatchObject([{ side: 'buy', txHash: swap.txHash }])

  const ask = (order: string) => api.read<PoolQuoteView>(`/api/v1/pools/${poolId}/quote?${order}`)
  const isQuoted = ({ quote }: PoolQuoteView) => quote !== null
  const [buy, sell] = [
    await eventually(() => ask('side=buy&otherAmount=1'), isQuoted),
    await ask('side=sell&stockAmount=1'),
  ]
  // The whole fee in millionths of one token of 18 decimals: 55 with the protocol's, else 37.
  expect(BigInt(buy.quote?.feeAmountRaw ?? 0) / 10n ** 10n).toBe(5_500n)
  expect(BigInt(sell.quote?.feeAmountRaw ?? 0) / 10n ** 10n).toBe(3_700n)
}, 120_000)
