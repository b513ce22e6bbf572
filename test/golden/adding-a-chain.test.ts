import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { parseNetworkFile } from '../../src/config/network-file.ts'

/*
 * The guide is a promise: its network file is valid, and each mistake in it is reported as the
 * guide says. The lines of running services in it were printed by services.
 */
const guide = readFileSync(new URL('../../docs/adding-a-chain.md', import.meta.url), 'utf8')
const example = /```json\n(.*?)```/s.exec(guide)?.[1] ?? ''

type Fields = { [key: string]: unknown }
type Example = Fields & {
  uniswapV3: [Fields]
  trustedQuotes: [Fields]
  stocks: Fields & { tokens: [Fields] }
}

const withChange = (change: (file: Example) => void): string => {
  const file = JSON.parse(example) as Example
  change(file)
  return JSON.stringify(file)
}

it('the file of the guide is a network file, with a fork whose addresses are not proved', () => {
  expect(parseNetworkFile(example, '/')).toMatchObject({
    ok: true,
    value: {
      network: {
        name: 'my-chain',
        venues: [{ protocol: 'uniswap-v3', startBlock: 120, initCodeHash: null }],
        explorerUrl: 'https://explorer.example',
        finality: { blocks: 64 },
      },
    },
  })
})

test.for<readonly [string, string]>([
  [
    'a key misspelt',
    withChange(({ uniswapV3: [first] }) => {
      first.startblock = first.startBlock
      delete first.startBlock
    }),
  ],
  ['a start block left out', withChange(({ uniswapV3: [first] }) => delete first.startBlock)],
  ['any other key left out', withChange((file) => delete file.screener)],
  [
    'a digit of an address mistyped',
    withChange((file) => {
      file.wrappedNative = '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD74'
    }),
  ],
  [
    'a digit of an address mistyped',
    withChange((file) => {
      file.wrappedNative = String(file.wrappedNative).slice(0, -1)
    }),
  ],
  [
    'an explorer without encryption, or with a key in it',
    withChange((file) => {
      file.explorerUrl = 'https://user:key@explorer.example'
    }),
  ],
  [
    'half a hash',
    withChange(({ uniswapV3: [first] }) => {
      first.initCodeHash = '0x1234'
    }),
  ],
  [
    'a venue without a key of its protocol',
    withChange((file) => {
      const [venue] = file.uniswapV3
      const moved = { ...venue, factory: `0x${'7'.repeat(40)}` }
      Object.assign(file, { pancakeswapV3: [moved] })
    }),
  ],
  [
    'a factory given twice',
    withChange((file) => {
      const [first] = file.uniswapV3
      Object.assign(file, { uniswapV3: [first, { ...first, name: 'again' }] })
    }),
  ],
  [
    'a token both stock and trusted',
    withChange(({ stocks, trustedQuotes: [quote] }) => {
      stocks.tokens[0].address = quote.address
    }),
  ],
  [
    'no DEX at all',
    withChange((file) => {
      Object.assign(file, { uniswapV3: [] })
    }),
  ],
  [
    'no stocks at all',
    withChange(({ stocks }) => {
      Object.assign(stocks, { tokens: [] })
    }),
  ],
  [
    'finality as a text',
    withChange((file) => {
      file.finality = '64'
    }),
  ],
  ['a comma too many', example.replace('"my-chain",', '"my-chain",,')],
])('%s is reported as the guide says', ([mistake, text]) => {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${mistake}`)) ?? ''
  const read = parseNetworkFile(text, '/')
  const fault = read.ok ? 'nothing' : read.fault
  expect(row).toContain(`stockpools: my-chain.json: ${fault}`)
})
