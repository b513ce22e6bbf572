import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candle, StoredSwap } from '../../domain/pool/stored-rows.ts'
import { createStateParameters, poolStates } from './pool-table.ts'
import { candles, swaps } from './tables.ts'

/** A row of a statement is the row that stays, value by value, again and again. */

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((each) => `0x${Buffer.from(each).toString('hex')}` as const)
const amount = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n })
const count = fc.nat()
const price = fc.double({ noNaN: true, noDefaultInfinity: true })
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })

const swap: fc.Arbitrary<StoredSwap> = fc.record({
  pool: count,
  block: count,
  logIndex: count,
  ts: count,
  txHash: bytes(32),
  amount0: amount,
  amount1: amount,
  sqrtPriceX96: amount,
  liquidity: amount,
  tick: fc.integer(),
  fee: orNull(count),
  sender: bytes(20),
  recipient: orNull(bytes(20)),
  usdMicro: orNull(fc.nat({ max: Number.MAX_SAFE_INTEGER })),
  estimated: fc.boolean(),
  implausible: fc.boolean(),
  txIndex: orNull(count),
  trader: orNull(bytes(20)),
  lpFee: orNull(count),
  feeYield: orNull(count),
})

const candle: fc.Arbitrary<Candle> = fc.record({
  pool: count,
  width: fc.constantFrom(60, 3_600, 86_400),
  ts: count,
  open: price,
  high: price,
  low: price,
  close: price,
  usdMicro: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  swaps: count,
  unpriced: count,
  estimated: count,
  implausible: count,
  feeYield: count,
  yielded: count,
  reserve0: orNull(price),
  reserve1: orNull(price),
})

const state = fc.record({
  price: orNull(fc.record({ sqrtPriceX96: amount, tick: fc.integer() })),
  liquidity: amount,
  reserves: orNull(fc.record({ amount0: amount, amount1: amount })),
  mapFault: fc.constantFrom(null, 'index_gap', 'hook_custom_accounting', 'reserve_short'),
  lastSwapTs: orNull(count),
  lastSwapBlock: orNull(count),
  lastSwapFee: orNull(count),
  fees: orNull(fc.record({ lpFee: count, protocolFee: count, block: count })),
})

const cases = [
  ['swaps', swap, swaps.toRow, swaps.createParameters()],
  ['candles', candle, candles.toRow, candles.createParameters()],
  ['states', state, poolStates.toRow, createStateParameters()],
] as readonly (readonly [
  string,
  fc.Arbitrary<object>,
  (record: object) => unknown,
  (record: object) => unknown,
])[]

test.each(cases)('%s', (_, record, toRow, places) => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      for (const each of records) expect(places(each)).toEqual(toRow(each))
    }),
  )
})
