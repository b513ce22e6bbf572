import { expect, test } from 'vitest'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { type Received, saying, serve } from '../../../test/support/net/loopback.ts'
import { resolveConfig } from '../../config/config.ts'
import { openIndexer } from './run-indexer.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`

const networkFileOf = ({ rpc, issuer }: { readonly rpc: string; readonly issuer: string }) => ({
  name: 'silent',
  chainId: 5,
  rpcUrls: [rpc],
  multicall3: null,
  uniswapV3: [{ factory: address('1'), startBlock: 0, initCodeHash: null }],
  uniswapV4: [],
  wrappedNative: address('3'),
  trustedQuotes: [{ symbol: 'USDG', address: address('4'), decimals: 6, feed: null }],
  stocks: {
    beacon: null,
    registryUrl: null,
    tokens: [{ symbol: 'AAPL', name: 'Apple', address: address('5'), decimals: 18, feed: null }],
  },
  quoteSources: [{ kind: 'issuer', url: issuer }],
  screener: null,
  finality: 'finalized',
})

const open = async (urls: { readonly rpc: string; readonly issuer: string }) => {
  const request = { role: 'start', args: ['--store=sqlite::memory:'], environment: {} } as const
  const config = resolveConfig(request, JSON.stringify(networkFileOf(urls)))
  if (!config.ok) throw new Error(config.fault)
  const journal = createJournal()
  const opened = await openIndexer(config.value, {
    logger: journal.logger,
    clock: { now: () => 1_800_000_000 },
    onProgress: () => {},
    onRefused: () => {},
  })
  if (!opened.ok) throw new Error(opened.fault)
  return { journal, close: opened.value.close }
}

const warnings = ({ of }: ReturnType<typeof createJournal>) => [...of('warn'), ...of('error')]

const isAsked = (received: readonly Received[]) =>
  expect.poll(() => received.length).toBeGreaterThan(0)

test('does not report requests that the shutdown aborts', async () => {
  const [rpc, issuer] = [await serve(() => {}), await serve(() => {})]
  const { journal, close } = await open({ rpc: rpc.url, issuer: issuer.url })
  await Promise.all([isAsked(rpc.received), isAsked(issuer.received)])
  await close()
  expect(warnings(journal)).toEqual([])
})

test('reports what fails before the shutdown', async () => {
  const broken = await serve(saying('', 503))
  const { journal, close } = await open({ rpc: broken.url, issuer: broken.url })
  await expect.poll(() => warnings(journal).length).toBeGreaterThan(0)
  await close()
})
