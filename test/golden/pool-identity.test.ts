import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { computePoolAddress, computePoolId } from '../../src/domain/dex/pool-id.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { uniswapV3 } from '../../src/domain/dex/uniswap-v3/decode.ts'
import type { PoolKey } from '../../src/domain/pool/pool-event.ts'
import type { Address, PoolId } from '../../src/domain/units.ts'
import { chainLog, readData } from './read-data.ts'

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
    expect(known.map((key) => computePoolId(key, keccak256))).toEqual(known.map(({ id }) => id))
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
      for (const other of others) expect(computePoolId(other, keccak256)).not.toBe(key.id)
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
    expect(
      known.map(({ factory: deployer, ...pool }) =>
        computePoolAddress({ ...pool, deployer, initCodeHash }, keccak256),
      ),
    ).toEqual(known.map(({ address }) => address))
  })
})

it('the log of a real creation leads to the very address that it names', () => {
  const [log] = readData<ChainLog[]>('v3-creation')
  const decoded = log === undefined ? null : decodeLog(uniswapV3, chainLog(log))
  if (!decoded?.ok || decoded.event.kind !== 'created') throw new Error('no creation')
  expect(decoded.event).toMatchObject({
    poolId: '0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8',
    venue: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
    key: {
      token0: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      token1: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      fee: 3000,
      tickSpacing: 60,
    },
  })
  const { key, venue: address, poolId } = decoded.event
  const proof = { initCodeHash, poolDeployer: null, poolImplementation: null } as const
  expect(uniswapV3.computeId(key, { address, ...proof }, keccak256)).toBe(poolId)
  const other = { address: `0x${'1'.repeat(40)}`, ...proof } as const
  expect(uniswapV3.computeId(key, other, keccak256)).not.toBe(poolId)
})
