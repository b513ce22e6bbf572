import { expect, it } from 'vitest'
import { algebraIntegralFixture } from '../../../test/support/domain/algebra-integral-fixture.ts'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { logOf } from '../../../test/support/domain/sample-pool.ts'
import { v3Venue, venuesOf } from '../../../test/support/domain/sample-venues.ts'
import { slipstreamPoolCreated } from '../../../test/support/domain/slipstream-fixture.ts'
import { uniswapV3Fixture } from '../../../test/support/domain/uniswap-v3-fixture.ts'
import { slipstreamVenue } from '../../../test/support/indexer/v3-like-pool.ts'
import type { ChainLog } from '../chain/log.ts'
import type { Address } from '../units.ts'
import { withCreationsFirst } from './creations-first.ts'

const { apple, weth } = tokens
const pool: Address = `0x${'aa'.repeat(20)}`
const other: Address = `0x${'bb'.repeat(20)}`
const venues = venuesOf(v3Venue, slipstreamVenue)
const algebra = { ...v3Venue, protocol: 'algebra-integral' } as const
const creations = algebraIntegralFixture.declarations.filter((each) => each.includes('Pool('))
const { log: swap } = uniswapV3Fixture.swap

const placed = (logs: readonly Partial<ChainLog>[]): readonly ChainLog[] =>
  logs.map((log, logIndex) => ({ ...swap, ...log, logIndex }))

const creation = (of: Address, venue = slipstreamVenue.address) =>
  logOf(venue, slipstreamPoolCreated, { token0: apple, token1: weth, tickSpacing: 1, pool: of })

const order = (logs: readonly Partial<ChainLog>[]): readonly number[] =>
  withCreationsFirst(placed(logs), venues).map(({ logIndex }) => logIndex)

it('a creation comes before the earlier logs of its pool in the same block', () => {
  const of = (address: Address) => ({ address })
  expect(order([of(other), of(pool), of(other), of(pool), creation(pool), of(pool)])).toEqual([
    0, 4, 1, 2, 3, 5,
  ])
})

it('so do several of one block, each before its own pool', () => {
  const logs = [{ address: pool }, { address: other }, creation(other), creation(pool)]
  expect(order(logs)).toEqual([3, 0, 2, 1])
})

it('a creation that the next log says again, with a deployer, is left out', () => {
  const pair = { token0: apple, token1: weth, pool, deployer: other }
  const [base, custom] = [0, 1].map((index) => logOf(algebra.address, creations[index] ?? '', pair))
  const ofAlgebra = (...logs: readonly Partial<ChainLog>[]) =>
    withCreationsFirst(placed(logs), venuesOf(algebra)).map(({ logIndex }) => logIndex)
  expect(ofAlgebra({ ...base }, { ...custom })).toEqual([1])
  expect(ofAlgebra({ ...base }, { address: pool }, { ...custom })).toEqual([0, 2, 1])
  expect(ofAlgebra({ ...base })).toEqual([0])
})

it('logs of another block, of other pools and from other contracts stay where they are', () => {
  const inOrder = [0, 1]
  expect(order([{ address: pool, block: swap.block - 1 }, creation(pool)])).toEqual(inOrder)
  expect(order([{ address: other }, creation(pool)])).toEqual(inOrder)
  expect(order([{ address: pool }, creation(pool, other)])).toEqual(inOrder)
  const logs = placed([creation(pool), { address: pool }])
  expect(withCreationsFirst(logs, venues)).toBe(logs)
})
