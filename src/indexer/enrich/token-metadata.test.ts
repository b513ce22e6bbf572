import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeChain, type FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import {
  contractOf,
  encode,
  returned,
  reverted,
  tooLarge,
} from '../../../test/support/indexer/market.ts'
import { openClaimedStore } from '../../../test/support/indexer/stored.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { CallResult } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createTokenMetadataReader } from './token-metadata.ts'

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

let store: Store
let chain: FakeChain
beforeEach(async () => {
  store = await openClaimedStore()
  chain = createFakeChain()
  chain.mine()
})
afterEach(() => store.close())

const recorded = () => store.snapshot((snapshot) => snapshot.tokensChangedAfter(-1))

const createReader = (before: Awaited<ReturnType<typeof recorded>> = []) => {
  const decimals = new Map(before.map((token) => [token.address, token.decimals]))
  return createTokenMetadataReader({
    chain: chain.reader,
    store,
    logger: createJournal().logger,
    decimals,
  })
}

const honest = {
  symbol: returned(encode('string', 'GOOD')),
  name: returned(encode('string', 'A good token')),
  decimals: returned(encode('uint8', 6)),
}

const deploy = (address: Address, given: Partial<typeof honest | Record<string, CallResult>>) => {
  const { symbol, name, decimals } = { ...honest, ...given }
  chain.deploy(
    address,
    contractOf({
      'symbol()': () => symbol,
      'name()': () => name,
      'decimals()': () => decimals,
    }),
  )
}

const known = (value: unknown) => ({ known: true, value })
const unknown = (reason: string) => ({ known: false, reason })
const good = { symbol: known('GOOD'), name: known('A good token'), decimals: known(6) }

describe('a token', () => {
  it('is read once, and recorded', async () => {
    deploy(addressOf(1), {})
    const tokens = createReader()
    tokens.request(addressOf(1))
    expect(tokens.decimalsOf(addressOf(1))).toEqual(unknown('decimals-unread'))
    expect(await tokens.refresh()).toBe(true)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
    tokens.request(addressOf(1))
    await tokens.refresh()
    expect(chain.count('callContracts')).toBe(1)
    expect(await recorded()).toEqual([{ address: addressOf(1), ...good }])
    const again = createReader(await recorded())
    again.request(addressOf(1))
    await again.refresh()
    expect(chain.count('callContracts')).toBe(1)
  })

  it('that is native ETH needs no contract', async () => {
    const tokens = createReader()
    tokens.request(nativeAddress)
    await tokens.refresh()
    expect(tokens.decimalsOf(nativeAddress)).toEqual(known(18))
    expect(await recorded()).toMatchObject([{ symbol: known('ETH') }])
  })

  it('stays queued while the chain cannot be asked', async () => {
    deploy(addressOf(1), {})
    const tokens = createReader()
    tokens.request(addressOf(1))
    chain.fail('callContracts', { kind: 'timeout', detail: 'late' }, 1)
    expect(await tokens.refresh()).toBe(false)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(unknown('decimals-unread'))
    expect(await tokens.refresh()).toBe(true)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
  })
})

describe('a hostile token spoils only itself', () => {
  const nul = String.fromCharCode(0)
  const turned = String.fromCharCode(0x202e)
  it.each<[string, Record<string, CallResult>, object]>([
    ['a symbol of megabytes', { symbol: tooLarge }, { symbol: unknown('symbol-too-large') }],
    ['decimals that revert', { decimals: reverted }, { decimals: unknown('decimals-reverted') }],
    [
      'implausible decimals',
      { decimals: returned(encode('uint256', 1000n)) },
      { decimals: unknown('decimals-absurd') },
    ],
    [
      'decimals of no word',
      { decimals: returned('0x12') },
      { decimals: unknown('decimals-malformed') },
    ],
    [
      'a symbol that points beyond its end',
      { symbol: returned(`0x${'f'.repeat(128)}`) },
      { symbol: unknown('symbol-malformed') },
    ],
    [
      'a name without visible characters',
      { name: returned(encode('string', `${nul}${turned}`)) },
      { name: unknown('name-empty') },
    ],
    [
      'a symbol with control characters',
      { symbol: returned(encode('string', `N${nul}V${turned}DA`)) },
      { symbol: known('NVDA') },
    ],
    [
      'a contract without any of it',
      { symbol: returned('0x'), name: reverted, decimals: returned('0x') },
      {
        symbol: unknown('symbol-malformed'),
        name: unknown('name-reverted'),
        decimals: unknown('decimals-malformed'),
      },
    ],
  ])('%s', async (_, answers, expectedFields) => {
    deploy(addressOf(1), {})
    deploy(addressOf(2), answers)
    deploy(addressOf(3), {})
    const tokens = createReader()
    for (const number of [1, 2, 3]) tokens.request(addressOf(number))
    expect(await tokens.refresh()).toBe(true)
    const numbers = [1, 2, 3]
    const expected = numbers.map((number) => ({ ...good, ...(number === 2 ? expectedFields : {}) }))
    expect(await recorded()).toMatchObject(expected)
    for (const [at, { decimals }] of expected.entries()) {
      expect(tokens.decimalsOf(addressOf(at + 1))).toEqual(decimals)
    }
  })

  it('also when there are thousands', async () => {
    const tokens = createReader()
    for (let number = 1; number <= 2050; number++) tokens.request(addressOf(number))
    await tokens.refresh()
    expect(await recorded()).toHaveLength(2050)
    expect(chain.count('callContracts')).toBe(21)
  })
})
