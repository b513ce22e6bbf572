import { isAtBound } from '../math/pool-price.ts'
import { depthOf } from '../pool/pool-depth.ts'
import type { TickMap } from '../pool/tick-map.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { finitePositive } from '../price/pool-prices.ts'
import { quoteMid } from '../price/quoted-usd.ts'
import { pegTolerance } from '../price/reference-price.ts'
import { worthOf } from '../valuation/pool-flags.ts'

/** A number of a formula: an exact integer, or a number as in JSON. */
export type Scalar = bigint | number

export type FormulaValue =
  | Scalar
  | null
  | { readonly kind: 'ticks'; readonly map: TickMap }
  /** Null: an item without a value. */
  | { readonly kind: 'amounts'; readonly amounts: readonly (bigint | null)[] }

/** A named function of formulas; only what the domain itself computes with. */
export type FormulaFunction = {
  /** Number of arguments; null for any. */
  readonly arity: number | null
  /** Otherwise the result is null if an argument is. */
  readonly takesNull: boolean
  readonly apply: (args: readonly FormulaValue[]) => FormulaValue
  /** For docs/methodology.md. */
  readonly meaning: string
}

const isScalar = (value: FormulaValue | undefined): value is Scalar =>
  typeof value === 'bigint' || typeof value === 'number'

/** A function of numbers. */
const ofNumbers = (
  arity: number,
  compute: (...numbers: readonly number[]) => number | null,
  meaning: string,
): FormulaFunction => ({
  arity,
  takesNull: false,
  apply: (args) => (args.every(isScalar) ? compute(...args.map(Number)) : null),
  meaning,
})

/** A function of the tick map and a √price. */
const ofTicks = (
  compute: (map: TickMap, sqrtPriceX96: bigint) => bigint,
  meaning: string,
): FormulaFunction => ({
  arity: 2,
  takesNull: false,
  apply: ([ticks, sqrtPriceX96]) =>
    ticks !== null && typeof ticks === 'object' && ticks.kind === 'ticks'
      ? typeof sqrtPriceX96 === 'bigint'
        ? compute(ticks.map, sqrtPriceX96)
        : null
      : null,
  meaning,
})

const ofAmounts = (
  compute: (amounts: readonly (bigint | null)[]) => Scalar | null,
  meaning: string,
): FormulaFunction => ({
  arity: 1,
  takesNull: false,
  apply: ([list]) =>
    list !== null && typeof list === 'object' && list.kind === 'amounts'
      ? compute(list.amounts)
      : null,
  meaning,
})

const sumOf = (amounts: readonly (bigint | null)[]): bigint | null =>
  amounts.reduce<bigint | null>(
    (sum, amount) => (sum === null || amount === null ? null : sum + amount),
    0n,
  )

const numberOrNull = (value: FormulaValue | undefined): number | null =>
  isScalar(value) ? Number(value) : null

const worth: FormulaFunction = {
  arity: 2,
  takesNull: true,
  apply: ([amount, price]) => worthOf(numberOrNull(amount), numberOrNull(price)),
  meaning: 'amount × price; 0 for an amount of 0, whatever the price is',
}

const cap: FormulaFunction = {
  arity: 2,
  takesNull: true,
  apply: ([value, limit]) => {
    const [one, most] = [numberOrNull(value), numberOrNull(limit)]
    if (most === 0) return 0
    return one === null || most === null ? null : Math.min(one, most)
  },
  meaning: 'the lower of both; 0 for a limit of 0, whatever the value is',
}

const when: FormulaFunction = {
  arity: null,
  takesNull: true,
  apply: (args) =>
    args.slice(0, -1).every((each) => isScalar(each) && Number(each) === 1)
      ? (args.at(-1) ?? null)
      : null,
  meaning: 'the last argument if all before it are 1, else null',
}

const inRange: FormulaFunction = {
  arity: 1,
  takesNull: false,
  apply: ([value]) => (typeof value === 'bigint' && !isAtBound(value) ? value : null),
  meaning: 'the √price; null within one step of its bounds (§2)',
}

export const formulaFunctions: ReadonlyMap<string, FormulaFunction> = new Map([
  ['inRange', inRange],
  ['positive', ofNumbers(1, finitePositive, 'the value; null unless it is finite and above 0')],
  [
    'finite',
    ofNumbers(1, (x) => (Number.isFinite(x) ? x : null), 'the value; null unless it is finite'),
  ],
  ['worth', worth],
  ['cap', cap],
  [
    'within',
    ofNumbers(
      2,
      (value, limit) => (Math.abs(value) <= limit ? value : null),
      'the value; null if its magnitude is above the limit',
    ),
  ],
  ['when', when],
  [
    'mid',
    ofNumbers(
      2,
      (bid, ask) => quoteMid({ bid, ask }),
      'the middle of bid and ask; null if crossed or too wide (§3)',
    ),
  ],
  [
    'peg',
    ofNumbers(
      1,
      (usd) => (Math.abs(usd - 1) <= pegTolerance ? 1 : null),
      'one dollar if the value is within the tolerance (§3), else null',
    ),
  ],
  [
    'principal0',
    ofTicks(
      (map, sqrtPriceX96) => reservesFromTickMap(map, sqrtPriceX96).amount0,
      'token0 of all positions by the tick map (§4)',
    ),
  ],
  [
    'principal1',
    ofTicks(
      (map, sqrtPriceX96) => reservesFromTickMap(map, sqrtPriceX96).amount1,
      'token1 of all positions by the tick map (§4)',
    ),
  ],
  [
    'moving0',
    ofTicks(
      (map, sqrtPriceX96) => depthOf(map, sqrtPriceX96).amount0,
      'token0 that moves the price by 2 % (§4)',
    ),
  ],
  [
    'moving1',
    ofTicks(
      (map, sqrtPriceX96) => depthOf(map, sqrtPriceX96).amount1,
      'token1 that moves the price by 2 % (§4)',
    ),
  ],
  ['sum', ofAmounts(sumOf, 'of a list, exact; null if an item has no value')],
  ['count', ofAmounts((amounts) => amounts.length, 'items of a list')],
])
