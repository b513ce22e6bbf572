import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { poolAddressOf, poolIdOf } from '../../src/domain/dex/identity.ts'
import type { PoolKey } from '../../src/domain/pool/pool-event.ts'
import type { Address, PoolId } from '../../src/domain/units.ts'
import { readData } from './read-data.ts'

type KnownKey = PoolKey & { source: string; id: PoolId }
type KnownAddress = Pick<PoolKey, 'token0' | 'token1' | 'fee'> & {
  source: string
  factory: Address
  address: Address
}

const initCodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

describe('the keys of real v4 pools lead to their ids', () => {
  const keys = readData<KnownKey[]>('v4-pool-keys')

  it.each([
    ['stelis', 12],
    ['catalog', 81],
    ['degenbot', 201],
  ])('all of %s: %i', (source, count) => {
    const known = keys.filter((key) => key.source === source)
    expect(known).toHaveLength(count)
    expect(known.map((key) => poolIdOf(key, keccak256))).toEqual(known.map(({ id }) => id))
  })

  it('and no other key does: each of its parts counts', () => {
    for (const key of keys.slice(0, 20)) {
      const others: PoolKey[] = [
        { ...key, token0: key.token1 },
        { ...key, token1: key.token0 },
        { ...key, fee: key.fee + 1 },
        { ...key, tickSpacing: -key.tickSpacing },
        { ...key, hooks: key.token1 },
      ]
      for (const other of others) expect(poolIdOf(other, keccak256)).not.toBe(key.id)
    }
  })
})

describe('the tokens and fees of real v3 pools lead to their addresses', () => {
  const pools = readData<KnownAddress[]>('v3-pool-addresses')

  it.each([
    ['catalog', 96],
    ['exdate', 7],
    ['degenbot', 3],
  ])('all of %s: %i', (source, count) => {
    const known = pools.filter((pool) => pool.source === source)
    expect(known).toHaveLength(count)
    expect(known.map((pool) => poolAddressOf({ ...pool, initCodeHash }, keccak256))).toEqual(
      known.map(({ address }) => address),
    )
  })
})
