import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { slipstream } from '../../src/domain/dex/slipstream/decode.ts'
import { dynamicFee } from '../../src/domain/dex/uniswap-v4/hook-flags.ts'
import type { Address } from '../../src/domain/units.ts'
import { chainLog, readData } from './read-data.ts'

type KnownPool = {
  readonly venue: string
  readonly deployer: Address
  readonly implementation?: Address
  readonly token0: Address
  readonly token1: Address
  readonly tickSpacing: number
  readonly address: Address
}

const pools = readData<KnownPool[]>('fork-pools').filter(
  ({ implementation }) => implementation !== undefined,
)

const idOf = (pool: KnownPool, other: Partial<KnownPool> = {}) => {
  const { token0, token1, tickSpacing, deployer, implementation = null } = { ...pool, ...other }
  const key = { token0, token1, tickSpacing, fee: dynamicFee, hooks: null }
  const none = { initCodeHash: null, poolDeployer: null }
  const venue = { ...none, address: deployer, poolImplementation: implementation }
  return slipstream.computeId(key, venue, keccak256)
}

describe('the address of a Slipstream pool', () => {
  it('follows from its factory, the implementation, the tokens and the spacing', () => {
    expect(pools).toHaveLength(15)
    expect(new Set(pools.map(({ deployer }) => deployer)).size).toBe(5)
    for (const pool of pools) expect(idOf(pool)).toBe(pool.address)
  })

  it('and each of them counts', () => {
    for (const pool of pools) {
      const { token0, token1, tickSpacing, deployer } = pool
      const others: Partial<KnownPool>[] = [
        { token0: token1 },
        { token1: token0 },
        { tickSpacing: tickSpacing + 1 },
        { deployer: token0 },
        { implementation: deployer },
      ]
      for (const other of others) expect(idOf(pool, other)).not.toBe(pool.address)
    }
  })
})

it('a recorded PoolCreated decodes to the pool that its address is computed from', () => {
  const logs = readData<(ChainLog & { readonly name: string })[]>('fork-logs')
  const found = logs.find(({ name }) => name === 'Slipstream PoolCreated')
  if (found === undefined) throw new Error('no recorded creation')
  const log = chainLog(found)
  const decoded = decodeLog(slipstream, log)
  const [pool] = pools.filter(({ venue }) => venue === 'Velodrome Slipstream')
  expect(decoded).toMatchObject({
    ok: true,
    event: {
      kind: 'created',
      protocol: 'slipstream',
      venue: pool?.deployer,
      poolId: pool?.address,
      key: { token0: pool?.token0, token1: pool?.token1, tickSpacing: 1, fee: dynamicFee },
    },
  })
})
