import { describe, expect, test } from 'vitest'
import type { ContractState } from '../dex/protocol.ts'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import { unknownState } from '../pool/pool-state.ts'
import { buildTickMap } from '../pool/tick-map.ts'
import { createTrackedPool, type TrackedPool, withOnchainState } from '../pool/tracked-pool.ts'

const identity = {
  number: 1,
  id: '0x01',
  version: 'v4',
  protocol: 'uniswap-v4',
  venue: '0x02',
  key: { token0: '0x03', token1: '0x04', fee: 500, tickSpacing: 60, hooks: null },
  createdBlock: 1,
  createdTs: 1,
} as const

// One position: 5 of liquidity from -60 up to 60.
const map = buildTickMap([
  { tick: -60, net: 5n, gross: 5n },
  { tick: 60, net: -5n, gross: 5n },
])
if (!map.known) throw new Error(map.reason)
const pool: TrackedPool = { ...createTrackedPool(identity, null), tickMap: map.value }

const contractState = (rest: Partial<ContractState> = {}): ContractState => ({
  sqrtPriceX96: 2n ** 96n,
  tick: 0,
  liquidity: 5n,
  fees: { lpFee: 500, protocolFee: 0 },
  ...rest,
})

const broken: TrackedPool = { ...pool, state: { ...pool.state, mapFault: 'index_gap' } }

describe('a pool with the state that its contract returns', () => {
  test.each<[string, TrackedPool, ContractState | null, Partial<TrackedPool['state']>]>([
    ['agrees with its map', pool, contractState(), { liquidity: 5n, mapFault: null }],
    ['outside of its range', pool, contractState({ tick: 60, liquidity: 0n }), { mapFault: null }],
    ['has another liquidity', pool, contractState({ liquidity: 6n }), { mapFault: 'index_gap' }],
    ['whose events contradict each other', broken, contractState(), { mapFault: 'index_gap' }],
    [
      'is not initialised',
      pool,
      contractState({ sqrtPriceX96: 0n }),
      { price: null, mapFault: null },
    ],
    ['whose contract returns nothing', pool, null, unknownState],
  ])('%s', (_, of, contract, state) => {
    const known = withOnchainState(of, contract, 9)
    expect(known.state).toMatchObject(state)
    expect(known.state.reserves === null).toBe(known.state.mapFault !== null)
    expect(known.tickMap).toBe(of.tickMap)
  })

  test.each([
    ['those of its creation since then', 500, { lpFee: 500, protocolFee: 0 }, 1],
    ['others since the block of the read', 500, { lpFee: 500, protocolFee: 7 }, 9],
    ['a dynamic one since the block of the read', dynamicFee, { lpFee: 0, protocolFee: 0 }, 9],
  ])('has its fees: %s', (_, fee, fees, block) => {
    const own = { ...pool, identity: { ...identity, key: { ...identity.key, fee } } }
    const { state } = withOnchainState(own, contractState({ fees }), 9)
    expect(state.fees).toEqual({ ...fees, block })
  })
})
