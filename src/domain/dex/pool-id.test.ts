import fc from 'fast-check'
import { encodeAbiParameters, getCreate2Address, keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { PoolCreated } from '../pool/pool-event.ts'
import { type Address, type Hex, nativeAddress } from '../units.ts'
import { getProtocol } from './find-protocol.ts'
import { computePoolAddress, computePoolId } from './pool-id.ts'

/** keccak256 of UniswapV3Pool's creation code, the same on every chain that Uniswap deployed to. */
const initCodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf)
const anyKey = fc.record({
  token0: anyAddress,
  token1: anyAddress,
  fee: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
  tickSpacing: fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }),
  hooks: anyAddress,
})

// Ethereum's ETH/USDC 0.05 % in v4, and USDC/WETH 0.05 % in v3.
const ethUsdc = {
  token0: nativeAddress,
  token1: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  fee: 500,
  tickSpacing: 10,
  hooks: nativeAddress,
} as const
const ethUsdcId = '0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27'
const usdcWeth = {
  token0: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  token1: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  fee: 500,
  tickSpacing: 10,
  hooks: null,
} as const
const usdcWethAddress = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'
const factory: Address = '0x1f98431c8ad98523631ae4a59f267346ea31f984'

describe('poolIdOf', () => {
  it('of a known pool is its id', () => {
    expect(computePoolId(ethUsdc, keccak256)).toBe(ethUsdcId)
  })

  it('of any key is the hash of what viem encodes', () => {
    const types = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }))
    fc.assert(
      fc.property(anyKey, ({ token0, token1, fee, tickSpacing, hooks }) => {
        const key = { token0, token1, fee, tickSpacing, hooks }
        const encoded = encodeAbiParameters(types, [token0, token1, fee, tickSpacing, hooks])
        expect(computePoolId(key, keccak256)).toBe(keccak256(encoded))
      }),
    )
  })
})

describe('poolAddressOf', () => {
  it('of a known pool is its address', () => {
    const deployment = { ...usdcWeth, deployer: factory, initCodeHash } as const
    expect(computePoolAddress(deployment, keccak256)).toBe(usdcWethAddress)
  })

  it('of any key is what viem computes', () => {
    const types = ['address', 'address', 'uint24'].map((type) => ({ type }))
    fc.assert(
      fc.property(anyKey, anyAddress, ({ token0, token1, fee }, from) => {
        const salt = keccak256(encodeAbiParameters(types, [token0, token1, fee]))
        const expected = getCreate2Address({ from, salt, bytecodeHash: initCodeHash })
        expect(
          computePoolAddress({ deployer: from, initCodeHash, token0, token1, fee }, keccak256),
        ).toBe(expected.toLowerCase())
      }),
    )
  })
})

describe('computeId', () => {
  const v4: PoolCreated = {
    kind: 'created',
    protocol: 'uniswap-v4',
    venue: '0x000000000004444c5dc75cb358380d2e3de08a90',
    key: ethUsdc,
    initial: null,
  }
  const v3: PoolCreated = { ...v4, protocol: 'uniswap-v3', venue: factory, key: usdcWeth }

  // BNB Chain's USDT/… 1 %: the factory is 0x0bfb…1865.
  it('of a PancakeSwap v3 pool follows from its pool deployer', () => {
    const key = {
      token0: '0x55d398326f99059ff775485246999027b3197955',
      token1: '0xbeea1d618e533a387d941f58a7d4c9b7bd377777',
      fee: 10_000,
      tickSpacing: 200,
      hooks: null,
    } as const
    const venue = {
      address: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
      poolDeployer: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9',
      poolImplementation: null,
      initCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
    } as const
    const { computeId } = getProtocol('pancakeswap-v3')
    expect(computeId(key, venue, keccak256)).toBe('0xab058332a7279f1e64162be08f59ac0cd9601759')
    const { computeId: ofUniswap } = getProtocol('uniswap-v3')
    expect(ofUniswap(key, venue, keccak256)).not.toBe('0xab058332a7279f1e64162be08f59ac0cd9601759')
    expect(computeId(key, { ...venue, initCodeHash: null }, keccak256)).toBe(null)
  })

  it.each([
    ['a base pool', undefined],
    ['a custom pool', `0x${'d1'.repeat(20)}`],
  ] as const)('of %s of Algebra is what viem computes, whatever the key says besides', (_, own) => {
    const { computeId } = getProtocol('algebra-integral')
    fc.assert(
      fc.property(anyKey, anyAddress, ({ token0, token1 }, from) => {
        const words = own === undefined ? [token0, token1] : [own, token0, token1]
        const types = words.map(() => ({ type: 'address' }))
        const salt = keccak256(encodeAbiParameters(types, words))
        const expected = getCreate2Address({ from, salt, bytecodeHash: initCodeHash })
        const key = { token0, token1, fee: 0, tickSpacing: 0, hooks: null }
        const proof = { poolDeployer: from, poolImplementation: null, initCodeHash } as const
        const venue = { address: factory, ...proof } as const
        const computed = computeId({ ...key, ...(own && { deployer: own }) }, venue, keccak256)
        expect(computed).toBe(expected.toLowerCase())
        expect(computeId(key, { ...venue, poolDeployer: null }, keccak256)).toBe(null)
      }),
    )
  })

  it.each([
    ['v4 with its id', { ...v4, poolId: ethUsdcId }, true],
    ['v4 with another id', { ...v4, poolId: `0x${'0'.repeat(64)}` }, false],
    ['v4 with another fee', { ...v4, key: { ...ethUsdc, fee: 501 }, poolId: ethUsdcId }, false],
    ['v3 with its address', { ...v3, poolId: usdcWethAddress }, true],
    ['v3 with another address', { ...v3, poolId: factory }, false],
    ['v3 of another factory', { ...v3, venue: nativeAddress, poolId: usdcWethAddress }, false],
  ] as const)('%s: %#', (_, created, expected) => {
    const { key, venue: address, poolId } = created
    const { computeId } = getProtocol(created.protocol)
    const venue = { address, initCodeHash, poolDeployer: null, poolImplementation: null } as const
    expect(computeId(key, venue, keccak256) === poolId).toBe(expected)
  })
})
