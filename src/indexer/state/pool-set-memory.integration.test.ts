import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import { createTrackedPool, type TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Hex, PoolId } from '../../domain/units.ts'

/*
 * Anyone can create pools for the price of a transaction. A pool that is as it was created takes
 * its id, the address of its own token and some 30 bytes.
 */

const pools = Number(process.env.TEST_TIER === 'T1' ? 1_000_000 : 60_000)
const hexOf = (value: number | bigint, digits: number): Hex =>
  `0x${value.toString(16).padStart(digits, '0')}`

const venue = hexOf(0xf0, 40)
const stocks = Array.from({ length: 50 }, (_, index) => hexOf(0x1000 + index, 40))

/** With a token that no other pool has. */
const samplePool = (number: number, digits: number): TrackedPool =>
  createTrackedPool(
    {
      number,
      id: hexOf(number, digits),
      version: digits === 40 ? 'v3' : 'v4',
      protocol: digits === 40 ? 'uniswap-v3' : 'uniswap-v4',
      venue,
      key: {
        token0: stocks[number % stocks.length] ?? venue,
        token1: hexOf(0xc000_0000 + number, 40),
        fee: 3000,
        tickSpacing: 60,
        hooks: digits === 40 ? null : hexOf(0, 40),
      },
      createdBlock: 30_000_000 + number,
      createdTs: 1_780_000_000,
    },
    digits === 40 ? null : { sqrtPriceX96: 2n ** 159n + BigInt(number), tick: -800_000 },
  )

const usedBytes = async (): Promise<number> => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  // Buffers are released after the collection that finds them.
  for (let times = 0; times < 3; times++) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.each([
  ['v3', 40, 90],
  ['v4, with a price of its own', 64, 130],
])('an untouched pool of %s is packed into few bytes', async (name, digits, bytesMax) => {
  const packing = { unpackedMax: 16, random: Math.random }
  const fill = (set: ReturnType<typeof createPoolSet>, count: number) => {
    for (let number = 1; number <= count; number++) set.putPacked(samplePool(number, digits))
    return set
  }
  // Compiled code and the tables of fixed size.
  fill(createPoolSet({ packing }), 5_000)
  const before = await usedBytes()
  const set = fill(createPoolSet({ packing }), pools)
  const own = ((await usedBytes()) - before) / pools
  expect(set.size()).toBe(pools)
  const id: PoolId = hexOf(pools - 7, digits)
  expect(set.byId(id)).toEqual(samplePool(pools - 7, digits))
  expect(own).toBeLessThan(bytesMax)
  console.info(`${pools} pools of ${name}: ${own.toFixed(1)} bytes each`)
})
