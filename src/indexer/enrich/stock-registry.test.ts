import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { deployStock, listingOf, one } from '../../../test/support/indexer/market.ts'
import {
  openRegistryStage,
  type RegistryStage,
  registryOf,
} from '../../../test/support/indexer/registry-stage.ts'
import { withPassTime } from '../../domain/stock/stock.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

const { apple, tesla } = tokens
const other: Address = `0x${'77'.repeat(20)}`

let store: Store
let chain: RegistryStage['chain']
let clock: RegistryStage['clock']
let createRegistry: RegistryStage['createRegistry']
let recorded: RegistryStage['recorded']
beforeEach(async () => {
  ;({ store, chain, clock, createRegistry, recorded } = await openRegistryStage())
})
afterEach(() => store.close())

describe('the list', () => {
  it('grows with the live registry, which stays in force when it does not answer', async () => {
    deployStock(chain, apple)
    deployStock(chain, tesla)
    const registry = createRegistry({ listSource: registryOf([listingOf(tesla, 'TSLA')], null) })
    expect(registry.all().map((stock) => stock.symbol)).toEqual(['AAPL'])
    await registry.refresh()
    await registry.refresh()
    expect(registry.all().map((stock) => stock.symbol)).toEqual(['AAPL', 'TSLA'])
    expect(registry.get(tesla)).toMatchObject({ verdict: 'verified' })
    expect(registry.get(other)).toBe(undefined)
  })

  it('keeps the shipped feed, which no registry contains', async () => {
    deployStock(chain, apple)
    const shipped = [{ ...listingOf(apple, 'AAPL'), feed: other }]
    const registry = createRegistry({ shipped, listSource: registryOf([listingOf(apple, 'AAPL')]) })
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ feed: other })
  })

  it('starts from what the last run recorded', async () => {
    deployStock(chain, apple)
    await createRegistry({ listSource: registryOf([listingOf(tesla, 'TSLA')]) }).refresh()
    const registry = createRegistry({ stored: await recorded() })
    expect(registry.all().map((stock) => [stock.symbol, stock.verdict])).toEqual([
      ['AAPL', 'verified'],
      ['TSLA', 'disproven'],
    ])
  })
})

describe('what is recorded', () => {
  it('is only what changed', async () => {
    deployStock(chain, apple)
    const registry = createRegistry()
    await registry.refresh()
    const [first] = await recorded()
    await registry.refresh()
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header?.stocksReadTs).toBe(500)
    await registry.refresh()
    expect(await store.snapshot((snapshot) => snapshot.header())).toEqual(header)
    expect(await recorded()).toEqual([first])
    deployStock(chain, apple, { multiplier: 3n * one })
    await registry.refresh()
    expect(await recorded()).toMatchObject([{ multiplier: 3n * one }])
  })

  it('includes a new name of an otherwise unchanged token', async () => {
    deployStock(chain, apple)
    const renamed = { ...listingOf(apple, 'APPL'), name: 'Apple Computer' }
    const registry = createRegistry({ listSource: registryOf([], [renamed]) })
    await registry.refresh()
    await registry.refresh()
    expect(await recorded()).toMatchObject([{ symbol: 'APPL', name: 'Apple Computer' }])
    // The same by another release of the shipped list.
    const next = createRegistry({ shipped: [listingOf(apple, 'AAPL')], stored: await recorded() })
    await next.refresh()
    expect(await recorded()).toMatchObject([{ symbol: 'AAPL', name: 'AAPL Inc.' }])
  })
})

describe('the time of the last read', () => {
  const readAt = async (): Promise<readonly (readonly [string, number | null])[]> => {
    const { stocks, passTs } = await store.snapshot(async (snapshot) => ({
      stocks: await snapshot.stocksChangedAfter(-1),
      passTs: (await snapshot.header())?.stocksReadTs ?? null,
    }))
    const timed = stocks.map((stock) => withPassTime(stock, passTs))
    return timed.map(({ symbol, readTs }) => [symbol, readTs] as const).sort()
  }
  const revisionOf = async () => (await store.snapshot((snapshot) => snapshot.header()))?.revision
  const both = { shipped: [listingOf(apple, 'AAPL'), listingOf(tesla, 'TSLA')] }
  const passAt = async (registry: ReturnType<typeof createRegistry>, ts: number) => {
    clock.ts = ts
    return registry.refresh()
  }

  it('advances with each pass by one small write, which rewrites no stock', async () => {
    for (const token of [apple, tesla]) deployStock(chain, token)
    const registry = createRegistry(both)
    await passAt(registry, 500)
    const revision = await revisionOf()
    await passAt(registry, 560)
    expect(await revisionOf()).toBe((revision ?? 0) + 1)
    expect(await store.snapshot((snapshot) => snapshot.stocksChangedAfter(revision ?? 0))).toEqual(
      [],
    )
    expect(await readAt()).toEqual([
      ['AAPL', 560],
      ['TSLA', 560],
    ])
    expect(registry.get(apple)).toMatchObject({ readTs: 560 })
  })

  it('stands still while the chain does not answer', async () => {
    deployStock(chain, apple)
    const registry = createRegistry()
    await passAt(registry, 500)
    chain.fail('callContracts', { kind: 'timeout', detail: 'late' }, 1)
    expect(await passAt(registry, 560)).toBe(false)
    expect(await readAt()).toEqual([['AAPL', 500]])
    expect(registry.get(apple)).toMatchObject({ readTs: 500 })
  })

  it.each([
    ['reverts', { ok: false, reason: 'reverted' }],
    ['is too large', { ok: false, reason: 'too-large' }],
    ['is zero', { ok: true, data: `0x${'00'.repeat(32)}` }],
    ['is no number', { ok: true, data: '0x1234' }],
  ] as const)('stands still for the one stock whose answer %s', async (_, answer) => {
    for (const token of [apple, tesla]) deployStock(chain, token)
    const registry = createRegistry(both)
    await passAt(registry, 500)
    chain.deploy(tesla, () => answer)
    await passAt(registry, 560)
    await passAt(registry, 620)
    const expected = [
      ['AAPL', 620],
      ['TSLA', 500],
    ]
    expect(await readAt()).toEqual(expected)
    // A restart with an unreachable chain continues from the same times.
    const stored = await store.snapshot((snapshot) => snapshot.stocksChangedAfter(-1))
    const next = createRegistry({ ...both, stored: stored.map((each) => withPassTime(each, 620)) })
    expect([apple, tesla].map((token) => next.get(token)?.readTs)).toEqual([620, 500])
    deployStock(chain, tesla)
    await passAt(next, 680)
    expect(await readAt()).toEqual([
      ['AAPL', 680],
      ['TSLA', 680],
    ])
  })

  it('is that of the question, not of the answer', async () => {
    deployStock(chain, apple)
    const slow = {
      ...chain.reader,
      callContracts: async (...given: Parameters<typeof chain.reader.callContracts>) => {
        clock.ts += 20
        return chain.reader.callContracts(...given)
      },
    }
    await createRegistry({ chain: slow }).refresh()
    expect(await readAt()).toEqual([['AAPL', 500]])
  })
})
