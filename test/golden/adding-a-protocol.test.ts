import { readFileSync } from 'node:fs'
import { encodeAbiParameters } from 'viem'
import { expect, it, vi } from 'vitest'
import { PoolSchema } from '../../src/api/schemas/pool.ts'
import { toIndexedNetwork } from '../../src/cli/compose/network.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { createPackedPools } from '../../src/domain/pool/packed-pools.ts'
import { classifyPool } from '../../src/domain/pool/pool-kind.ts'
import {
  applyPoolEvent,
  type TrackedPool,
  withRulesUpTo,
} from '../../src/domain/pool/tracked-pool.ts'
import { toPoolView } from '../../src/domain/valuation/value-pool.ts'
import { createSampleChain } from '../support/domain/sample-chain.ts'
import { sampleContext, samplePoolInputs } from '../support/domain/sample-inputs.ts'
import { createSampleIndex, decimalsOf, tokens } from '../support/domain/sample-market.ts'
import { manager } from '../support/domain/sample-pool.ts'
import { samplePoolId, sampleProtocolLogs } from '../support/domain/sample-protocol.ts'
import { v4Venue, venuesOf } from '../support/domain/sample-venues.ts'

// The only step besides the protocol's own folder: one more line in the registry.
vi.mock('../../src/domain/dex/registry.ts', async (importOriginal) => {
  const { protocols } = await importOriginal<typeof import('../../src/domain/dex/registry.ts')>()
  const { sampleProtocol } = await import('../support/domain/sample-protocol.ts')
  return { protocols: [...protocols, sampleProtocol] }
})

const { usdg, apple } = tokens
const sampleVenues = venuesOf({ ...v4Venue, protocol: 'sample', name: 'Sample' })
const id = samplePoolId(usdg, apple)
const logs = sampleProtocolLogs(manager, usdg, apple)
/** 10^10 units of apple (18 decimals) per unit of USDG (6 decimals): 100 dollars per apple. */
const sqrtPriceX96 = 100_000n << 96n
const tick = tickAtSqrtPrice(sqrtPriceX96)
const liquidity = 10n ** 18n

const ingestSamplePool = () => {
  const index = createSampleIndex(sampleVenues)
  const chain = createSampleChain()
  index.references.add(usdg, { ts: chain.ts(), usd: 1 })
  chain.emit(logs.opened(sqrtPriceX96, tick))
  chain.emit(logs.funded(tick - 1000, tick + 1000, liquidity))
  chain.emit(logs.traded([50_000_000n, -(10n ** 17n)], { sqrtPriceX96, liquidity, tick }))
  chain.mine()
  const result = index.ingest(chain.logs())
  const pool = index.book.byId(id) as TrackedPool
  return { index, chain, result, pool }
}

const shipped = JSON.parse(
  readFileSync(new URL('../../src/networks/robinhood.json', import.meta.url), 'utf8'),
)
const hub = { name: 'My hub', hub: manager, stateView: null, startBlock: 7 }

const readNetwork = (venues: readonly unknown[]) =>
  resolveConfig(
    { role: 'index', args: [], environment: {} },
    JSON.stringify({ ...shipped, sample: venues }),
  )

it('has its own list of venues in the network file, whose contracts are called', () => {
  const read = readNetwork([hub])
  if (!read.ok) throw new Error(read.fault)
  const { venues, contracts } = toIndexedNetwork(read.value)
  expect(venues.get(manager)).toMatchObject({
    ...{ path: 'sample[0]', protocol: 'sample', name: 'My hub', startBlock: 7 },
  })
  const probes = contracts.filter(({ address }) => address === manager)
  expect(probes.map(({ key, probe }) => `${key} ${probe.name}`)).toEqual([
    'sample[0].hub sample hub',
  ])
})

const { stateView: _, ...withoutStateView } = hub

it.each([
  ['a key left out', [withoutStateView], 'sample[0].stateView: missing'],
  [
    'a key of another protocol',
    [{ ...hub, initCodeHash: null }],
    'sample[0].initCodeHash: unknown',
  ],
  ['one contract twice', [hub, hub], 'sample[1].hub: the same address as sample[0].hub'],
  [
    'the contract of another protocol',
    [{ ...hub, hub: shipped.uniswapV3[0].factory }],
    'sample[0].hub: the same address as uniswapV3[0].factory',
  ],
])('names the key of its list: %s', (_mistake, venues, fault) => {
  expect(readNetwork(venues)).toMatchObject({ ok: false, fault: expect.stringContaining(fault) })
})

it('is a value of the field `protocol` of the API', () => {
  expect(PoolSchema.properties.protocol.enum).toContain('sample')
})

it('decodes and prices the swaps of a protocol that the registry lists', () => {
  const { result, pool } = ingestSamplePool()
  expect(result).toMatchObject({
    pools: [{ id, protocol: 'sample', venue: manager }],
    swaps: [{ amount0: 50_000_000n, usdMicro: 50_000_000, estimated: false }],
    rejected: [],
  })
  expect(pool.state).toMatchObject({ price: { tick }, liquidity, mapFault: null })
})

it('rejects a pool whose id the protocol does not confirm', () => {
  const index = createSampleIndex(sampleVenues)
  const chain = createSampleChain()
  chain.emit(logs.opened(sqrtPriceX96, tick, `0x${'0'.repeat(64)}`))
  chain.mine()
  expect(index.ingest(chain.logs())).toMatchObject({
    pools: [],
    rejected: [{ reason: 'the id of a sample pool is not the hash of its tokens', count: 1 }],
  })
})

it('takes the fee of a pool from its creation, then from the logs that set it', () => {
  const { index, chain, pool } = ingestSamplePool()
  expect(pool.state.fees).toEqual({ lpFee: 500, protocolFee: 0, block: pool.identity.createdBlock })
  const known = chain.logs().length
  chain.emit(logs.repriced(750))
  chain.emit(logs.repriced(900))
  const { block } = chain.mine()
  const { touched, ...rest } = index.ingest(chain.logs().slice(known))
  const fees = { lpFee: 900, protocolFee: 0, block }
  expect(touched).toEqual([{ ...pool, state: { ...pool.state, fees } }])
  expect([rest.blocks, rest.candles, rest.swaps, rest.rejected]).toEqual([[], [], [], []])
})

it('forgets a fee of a replaced block, and knows it again by the next log', () => {
  const { index, chain, pool } = ingestSamplePool()
  chain.emit(logs.repriced(750))
  const { block } = chain.mine()
  index.ingest(chain.logs())
  const current = index.book.byId(id) as TrackedPool
  expect(current.state.fees).toMatchObject({ lpFee: 750 })
  const forgotten = withRulesUpTo(current, block - 1)
  expect(forgotten.state.fees).toBe(null)
  const at = { ...pool.identity, block, blockHash: id, ts: 0, txHash: id, txIndex: 0, logIndex: 0 }
  const set = applyPoolEvent(forgotten, { kind: 'lp-fee-set', poolId: id, at, lpFee: 900 })
  expect(set.state.fees).toEqual({ lpFee: 900, protocolFee: 0, block })
})

it('lists the pool with its price and its reserves', () => {
  const { index, chain, pool } = ingestSamplePool()
  const classification = classifyPool(pool.identity.key, index.roles)
  expect(classification).toEqual({ kind: 'canonical', stockIsToken0: false })
  if (classification === null) return
  const view = toPoolView(
    samplePoolInputs({
      pool: { ...pool.identity, ...pool.state, lastHotTs: null },
      classification,
      decimals0: decimalsOf(usdg),
      decimals1: decimalsOf(apple),
    }),
    sampleContext({ now: chain.ts(), asOf: { block: 100, ts: chain.ts() } }),
  )
  expect(view).toMatchObject({
    id,
    version: 'v4',
    protocol: 'sample',
    venue: 'Sample',
    active: true,
    reserveSource: 'ticks',
  })
  expect(view.stockPriceUsd).toBeCloseTo(100)
})

it('reads the pool by its own state calls and packs it', () => {
  const { pool } = ingestSamplePool()
  const { stateCalls, decodeState } = getProtocol(pool.identity.protocol)
  expect(stateCalls(id, manager)?.map(({ to }) => to)).toEqual([manager, manager])
  const slot0 = encodeAbiParameters(
    [{ type: 'uint160' }, { type: 'int24' }, { type: 'uint24' }],
    [sqrtPriceX96, tick, 500],
  )
  const word = encodeAbiParameters([{ type: 'uint128' }], [liquidity])
  expect(decodeState({ slot0, liquidity: word })).toEqual({
    sqrtPriceX96,
    tick,
    liquidity,
    fees: { lpFee: 500, protocolFee: 0 },
  })
  const packed = createPackedPools(Math.random)
  packed.put(pool)
  expect(packed.byNumber(pool.identity.number)).toEqual(pool)
})
