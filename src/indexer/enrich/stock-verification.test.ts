import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { beaconStandard, standardWith } from '../../../test/support/domain/sample-standard.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import {
  contractOf,
  deployStock,
  encode,
  listingOf,
  one,
  returned,
  wordOf,
} from '../../../test/support/indexer/market.ts'
import {
  openRegistryStage,
  type RegistryStage,
  registryOf,
} from '../../../test/support/indexer/registry-stage.ts'
import { beaconSlot, stockStateCalls } from '../../domain/stock/onchain-calls.ts'
import { type StockListing, unverifiedStock } from '../../domain/stock/stock.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'
import { createStockRegistry } from './stock-registry.ts'

const { apple, tesla } = tokens
const other: Address = `0x${'77'.repeat(20)}`

let store: Store
let chain: RegistryStage['chain']
let createRegistry: RegistryStage['createRegistry']
let recorded: RegistryStage['recorded']
beforeEach(async () => {
  ;({ store, chain, createRegistry, recorded } = await openRegistryStage())
})
afterEach(() => store.close())

describe('the verdict on a listed stock', () => {
  it('is unknown before the first read, and kept when the chain cannot be asked', async () => {
    deployStock(chain, apple)
    const registry = createRegistry()
    expect(registry.get(apple)).toMatchObject({ verdict: 'unknown', readTs: null })
    chain.fail('callContracts', { kind: 'timeout', detail: 'late' }, 1)
    expect(await registry.refresh()).toBe(false)
    expect(registry.get(apple)).toMatchObject({ verdict: 'unknown', readTs: null })
    expect(await recorded()).toEqual([])
    expect(await registry.refresh()).toBe(true)
    expect(registry.get(apple)).toMatchObject({ verdict: 'verified', multiplier: one })
    expect(await recorded()).toMatchObject([{ verdict: 'verified', readTs: 500 }])
  })

  it('is disproven by another beacon, and by a contract that is no stock', async () => {
    deployStock(chain, apple)
    chain.store(apple, beaconSlot, wordOf(other))
    const registry = createRegistry({
      shipped: [listingOf(apple, 'AAPL'), listingOf(tesla, 'TSLA')],
    })
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'disproven', multiplier: one })
    expect(registry.get(tesla)).toMatchObject({ verdict: 'disproven', multiplier: null })
  })

  it('stays verified when a later read fails, with the figures that were read', async () => {
    deployStock(chain, apple, { multiplier: 2n * one })
    const registry = createRegistry()
    await registry.refresh()
    chain.deploy(apple, () => ({ ok: false, reason: 'reverted' }))
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'verified', multiplier: 2n * one })
  })

  it('is not asked for again once it is verified', async () => {
    deployStock(chain, apple)
    const registry = createRegistry()
    await registry.refresh()
    const reads = chain.count('getStorageAt')
    await registry.refresh()
    expect(chain.count('getStorageAt')).toBe(reads)
  })

  it.each(['disproven', 'unknown'] as const)(
    'stays %s when the slot cannot be read',
    async (verdict) => {
      deployStock(chain, apple)
      chain.fail('getStorageAt', { kind: 'timeout', detail: 'late' })
      const stock = { ...listingOf(apple, 'AAPL'), ...unverifiedStock, verdict }
      const registry = createRegistry({ stored: [stock] })
      await registry.refresh()
      expect(registry.get(apple)).toMatchObject({ verdict, multiplier: one })
      chain.heal()
      await registry.refresh()
      expect(registry.get(apple)).toMatchObject({ verdict: 'verified' })
    },
  )

  it('needs no beacon where the network has none', async () => {
    deployStock(chain, apple)
    const registry = createStockRegistry({
      confirmedBlock: chain.confirmedBlock,
      chain: chain.reader,
      store,
      clock: { now: () => 500 },
      logger: createJournal().logger,
      shipped: [listingOf(apple, 'AAPL')],
      listSource: null,
      standardOf: beaconStandard(null),
      stored: [],
    })
    chain.fail('getStorageAt', { kind: 'timeout', detail: 'late' })
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'verified' })
  })
})

describe('a stock of another standard', () => {
  const listed = { ...listingOf(tesla, 'TSLA'), decimals: 8 }
  const standardOf: StandardOf = (address) => {
    return standardWith({ proof: address === tesla ? 'listed' : 'erc8056' })
  }

  it('is verified by it, whatever the beacon is of the others', async () => {
    chain.deploy(apple, contractOf({ 'multiplier()': () => returned(encode('uint256', 2n * one)) }))
    chain.deploy(tesla, contractOf({ 'decimals()': () => returned(encode('uint8', 8)) }))
    const registry = createRegistry({ shipped: [listingOf(apple, 'AAPL'), listed], standardOf })
    expect(await registry.refresh()).toBe(true)
    const verified = { verdict: 'verified', readFailed: false }
    expect(registry.all()).toMatchObject([
      { ...verified, multiplier: 2n * one, multiplierAlias: true },
      { ...verified, multiplier: one, multiplierAlias: false },
    ])
    expect(await recorded()).toEqual(registry.all())
    expect(chain.count('getStorageAt')).toBe(0)
  })

  it('is reported with what its own standard asks for', async () => {
    const registry = createRegistry({ shipped: [listed], standardOf })
    await registry.refresh()
    expect(registry.warning()).toBe(
      '1 of 1 listed stocks failed verification, ' +
        'TSLA: its decimals() does not return the 8 of the list',
    )
    chain.deploy(tesla, () => ({ ok: false, reason: 'unanswered' }))
    const next = createRegistry({ shipped: [listed], standardOf })
    await next.refresh()
    expect(next.warning()).toBe(
      '1 of 1 listed stocks could not be verified, TSLA: its decimals() could not be read',
    )
  })
})

describe('a listed stock that the chain disproves', () => {
  const message = 'Stock of the network file failed on-chain verification, its pools are excluded'
  const noMultiplier = 'its uiMultiplier() returns nothing, or zero'
  const otherBeacon = 'it is not a proxy of stocks.beacon'
  const manyOf = (count: number) =>
    Array.from({ length: count }, (_, number): StockListing => {
      const address: Address = `0x${(number + 1).toString(16).padStart(40, '0')}`
      return listingOf(address, `S${number}`)
    })

  it('is reported once, with the check that failed', async () => {
    deployStock(chain, apple)
    chain.store(apple, beaconSlot, wordOf(other))
    const { logger, of } = createJournal()
    const shipped = [listingOf(apple, 'AAPL'), listingOf(tesla, 'TSLA')]
    const registry = createRegistry({ shipped, logger })
    await registry.refresh()
    await registry.refresh()
    const warnings = [
      { level: 'warn', message, fields: { symbol: 'AAPL', address: apple, reason: otherBeacon } },
      { level: 'warn', message, fields: { symbol: 'TSLA', address: tesla, reason: noMultiplier } },
    ]
    expect(of('warn')).toEqual(warnings)
    expect(registry.warning()).toBe(
      `2 of 2 listed stocks failed verification, AAPL: ${otherBeacon}`,
    )
    deployStock(chain, apple)
    deployStock(chain, tesla)
    await registry.refresh()
    expect(registry.warning()).toBe(null)
    expect(of('warn')).toEqual(warnings)
  })

  it('is reported as a count where a whole list fails', async () => {
    const shipped = manyOf(200)
    for (const { address } of shipped) {
      deployStock(chain, address)
      chain.store(address, beaconSlot, wordOf(other))
    }
    const { logger, of } = createJournal()
    const registry = createRegistry({ shipped, logger })
    await registry.refresh()
    await registry.refresh()
    expect(of('warn').map((line) => line.message)).toEqual([
      ...Array.from({ length: 5 }, () => message),
      'More stocks failed the same verification',
    ])
    expect(of('warn')[5]?.fields).toEqual({ count: 195, reason: otherBeacon })
  })

  it('is reported only in the status if only a live registry lists it', async () => {
    deployStock(chain, apple)
    const { logger, of } = createJournal()
    const listSource = registryOf([listingOf(tesla, 'TSLA')])
    const registry = createRegistry({ listSource, logger })
    await registry.refresh()
    expect(of('warn')).toEqual([])
    expect(registry.warning()).toBe(
      `1 of 2 listed stocks failed verification, TSLA: ${noMultiplier}`,
    )
  })

  it('is no warning among twenty, nor once it is no longer listed', async () => {
    const shipped = manyOf(20)
    for (const { address } of shipped.slice(1)) deployStock(chain, address)
    const registry = createRegistry({ shipped })
    await registry.refresh()
    expect(registry.warning()).toBe(null)
    const wrong = await recorded()
    const next = createRegistry({ shipped: shipped.slice(1, 3), stored: wrong })
    await next.refresh()
    expect(next.warning()).toBe(null)
  })

  it('stays unknown where its answer is too long, which is reported', async () => {
    deployStock(chain, apple)
    chain.deploy(apple, () => ({ ok: false, reason: 'too-large' }))
    const registry = createRegistry()
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'unknown', multiplier: null })
    const reason = 'its uiMultiplier() could not be read'
    expect(registry.warning()).toBe(`1 of 1 listed stocks could not be verified, AAPL: ${reason}`)
    deployStock(chain, apple)
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'verified' })
    expect(registry.warning()).toBe(null)
  })

  it('whose call the node refused is not disproven', async () => {
    chain.deploy(apple, () => ({ ok: false, reason: 'unanswered' }))
    const registry = createRegistry({})
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'unknown', multiplier: null })
    deployStock(chain, apple)
    await registry.refresh()
    expect(registry.get(apple)).toMatchObject({ verdict: 'verified', multiplier: one })
  })

  it('keeps what it announced while a call of it is refused', async () => {
    deployStock(chain, apple)
    const registry = createRegistry({})
    await registry.refresh()
    const before = registry.get(apple)
    const [, announced] = stockStateCalls(listingOf(apple, 'AAPL'), standardWith({}))
    chain.deploy(apple, (data) =>
      data === announced?.data
        ? { ok: false, reason: 'unanswered' }
        : { ok: true, data: `0x${'1'.padStart(64, '0')}` },
    )
    await registry.refresh()
    expect(registry.get(apple)).toEqual({ ...before, readFailed: true })
  })

  it('stays unknown where its beacon could not be read, which is logged', async () => {
    deployStock(chain, apple)
    chain.fail('getStorageAt', { kind: 'timeout', detail: 'late' }, 1)
    const { logger, of } = createJournal()
    const registry = createRegistry({ logger })
    await registry.refresh()
    expect(registry.warning()).toBe(null)
    expect(of('warn')).toMatchObject([{ fields: { kind: 'timeout' } }])
  })
})

it('the beacons of 200 stocks are read in one request', async () => {
  const shipped = Array.from({ length: 200 }, (_, number): StockListing => {
    const address: Address = `0x${(number + 1).toString(16).padStart(40, '0')}`
    deployStock(chain, address)
    return listingOf(address, `S${number}`)
  })
  const registry = createRegistry({ shipped })
  await registry.refresh()
  expect(registry.all().every(({ verdict }) => verdict === 'verified')).toBe(true)
  expect(chain.count('getStorageAt')).toBe(1)
})
