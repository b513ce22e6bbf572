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
import { isFullyKnown } from '../../domain/token/metadata.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import type { CallResult } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'
import { createTokenMetadataReader } from './token-metadata.ts'

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

let store: Store
let chain: FakeChain
let now: number
beforeEach(async () => {
  now = 1_800_000_000
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
    clock: { now: () => now },
    logger: createJournal().logger,
    confirmedBlock: chain.confirmedBlock,
    decimals,
    unknownTokens: before.filter((token) => !isFullyKnown(token)),
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

  it('stays queued while the store cannot be written', async () => {
    deploy(addressOf(1), {})
    let isFull = true
    const opened = store
    const fail = () => Promise.reject(new Error('disk full'))
    store = { ...opened, recordTokens: (rows) => (isFull ? fail() : opened.recordTokens(rows)) }
    const tokens = createReader()
    tokens.request(addressOf(1))
    await expect(tokens.refresh()).rejects.toThrow('disk full')
    isFull = false
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

const unanswered: CallResult = { ok: false, reason: 'unanswered' }
const day = 86_400

/** Passes of the loop, one every ten seconds. */
const passes = async (tokens: ReturnType<typeof createReader>, count: number) => {
  const before = chain.count('callContracts')
  for (let pass = 0; pass < count; pass++) {
    now += 10
    await tokens.refresh()
  }
  return chain.count('callContracts') - before
}

describe('a refused call is no answer of the contract', () => {
  it('is asked again, and the token heals', async () => {
    deploy(addressOf(1), { decimals: unanswered })
    const tokens = createReader()
    tokens.request(addressOf(1))
    expect(await tokens.refresh()).toBe(true)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(unknown('decimals-unanswered'))
    deploy(addressOf(1), {})
    expect(await passes(tokens, 1)).toBe(1)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
    expect(await recorded()).toEqual([{ address: addressOf(1), ...good }])
    expect(await passes(tokens, 10)).toBe(0)
  })

  it('is asked less and less often, and at least hourly', async () => {
    deploy(addressOf(1), { symbol: unanswered, name: unanswered, decimals: unanswered })
    const tokens = createReader()
    tokens.request(addressOf(1))
    await tokens.refresh()
    expect(await passes(tokens, 60)).toBeLessThanOrEqual(7)
    expect(await passes(tokens, 360)).toBeGreaterThanOrEqual(1)
    expect(await passes(tokens, 360)).toBe(1)
  })

  it('loses nothing that was read before', async () => {
    deploy(addressOf(1), { symbol: unanswered })
    const tokens = createReader()
    tokens.request(addressOf(1))
    await tokens.refresh()
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
    deploy(addressOf(1), { decimals: unanswered })
    await passes(tokens, 1)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
    expect(await recorded()).toEqual([{ address: addressOf(1), ...good }])
  })

  it('holds up no other token', async () => {
    for (let number = 1; number <= 250; number++) {
      deploy(addressOf(number), number % 2 === 0 ? { decimals: unanswered } : {})
    }
    const tokens = createReader()
    for (let number = 1; number <= 250; number++) tokens.request(addressOf(number))
    await tokens.refresh()
    const odd = Array.from({ length: 125 }, (_, index) => addressOf(2 * index + 1))
    expect(odd.every((address) => tokens.decimalsOf(address).known)).toBe(true)
  })
})

describe('a stored unknown', () => {
  it('of an earlier version is read again after a start', async () => {
    const wrong = { ...good, decimals: unknown('decimals-reverted') }
    await store.recordTokens([{ address: addressOf(1), ...wrong } as never])
    deploy(addressOf(1), {})
    const tokens = createReader(await recorded())
    expect(tokens.decimalsOf(addressOf(1))).toEqual(unknown('decimals-reverted'))
    await tokens.refresh()
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
    expect(await recorded()).toEqual([{ address: addressOf(1), ...good }])
  })

  it('is read again daily, and written only if it changes', async () => {
    deploy(addressOf(1), { decimals: reverted })
    const tokens = createReader()
    tokens.request(addressOf(1))
    await tokens.refresh()
    const stored = await recorded()
    expect(await passes(tokens, 8000)).toBe(0)
    now += day
    expect(await passes(tokens, 1)).toBe(1)
    expect(await recorded()).toEqual(stored)
    // A proxy has its code now.
    deploy(addressOf(1), {})
    now += day
    await passes(tokens, 1)
    expect(tokens.decimalsOf(addressOf(1))).toEqual(good.decimals)
  })

  it('comes after the tokens that were never read, a batch per pass', async () => {
    const wrong = { ...good, decimals: unknown('decimals-reverted') }
    const numbers = Array.from({ length: 350 }, (_, index) => index + 1)
    const stored = numbers.map((number) => ({ address: addressOf(number), ...wrong }))
    await store.recordTokens(stored as never)
    for (const number of [...numbers, 999]) deploy(addressOf(number), {})
    const tokens = createReader(await recorded())
    tokens.request(addressOf(999))
    await tokens.refresh()
    expect(tokens.decimalsOf(addressOf(999))).toEqual(good.decimals)
    expect(chain.count('callContracts')).toBe(2)
    await passes(tokens, 3)
    expect(numbers.every((number) => tokens.decimalsOf(addressOf(number)).known)).toBe(true)
  })
})
