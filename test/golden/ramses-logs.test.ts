import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { ramsesV3 } from '../../src/domain/dex/ramses-v3/decode.ts'
import { uniswapV3 } from '../../src/domain/dex/uniswap-v3/decode.ts'
import type { Address, Hash } from '../../src/domain/units.ts'
import { chainLog, readData } from './read-data.ts'

const logOf = (event: string): ChainLog => {
  const logs = readData<(ChainLog & { readonly name: string })[]>('fork-logs')
  const found = logs.find(({ name }) => name === `Ramses v3 ${event}`)
  if (found === undefined) throw new Error(`no recorded ${event}`)
  return chainLog(found)
}

const pool = '0xee02e3a3034e9ef3bd569b140bc9911fcf1ba067'
const owner = '0xb3f77c5134d643483253d22e0ca24627ae42ed51'
const change = { kind: 'liquidity-changed', poolId: pool, owner }

it.each([
  [
    'Mint',
    {
      ...change,
      ...{ tickLower: -239_640, tickUpper: -239_630, liquidityDelta: 0x6195d80fdba6den },
    },
  ],
  [
    'Burn',
    {
      ...change,
      ...{ tickLower: -239_630, tickUpper: -239_620, liquidityDelta: -0x61a2965d1d517en },
    },
  ],
])('a recorded %s of Ramses v3 decodes', (event, expected) => {
  expect(decodeLog(ramsesV3, logOf(event))).toMatchObject({ ok: true, event: expected })
})

it('no other protocol reads its Mint', () => {
  expect(decodeLog(uniswapV3, logOf('Mint'))).toBe(null)
})

type KnownPool = {
  readonly venue: string
  readonly deployer: Address
  readonly initCodeHash: Hash
  readonly token0: Address
  readonly token1: Address
  readonly tickSpacing: number
  readonly address: Address
}

it('the address of a pool follows from its deployer, tokens and spacing, and from no fee', () => {
  const pools = readData<KnownPool[]>('fork-pools').filter(({ venue }) => venue === 'Ramses v3')
  expect(pools).toHaveLength(3)
  for (const { deployer: poolDeployer, initCodeHash, address, ...key } of pools) {
    const venue = { address: pool, poolDeployer, initCodeHash, poolImplementation: null } as const
    for (const fee of [0, 500]) {
      const id = ramsesV3.computeId({ ...key, fee, hooks: null }, venue, keccak256)
      expect(id).toBe(address)
    }
    const other = { ...key, tickSpacing: key.tickSpacing + 1, fee: 500, hooks: null }
    expect(ramsesV3.computeId(other, venue, keccak256)).not.toBe(address)
  }
})

it('no proof rests on the storage of its older contracts', () => {
  const { storage } = ramsesV3
  expect(typeof storage === 'function' && storage(null)).toBe(null)
})
