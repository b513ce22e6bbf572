import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { protocols } from '../../domain/dex/registry.ts'
import type { PoolView, SwapView } from '../../domain/views/pool.ts'
import { isRecord, type JsonRecord } from '../../net/json.ts'

/*
 * What a service that may lie sends is read field by field, as far as it is used; any number and
 * any text may still be wrong.
 */

type Test = (value: unknown) => boolean

const integerBetween =
  (min: number, max: number): Test =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
const matching =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value)

export const isCount = integerBetween(0, Number.MAX_SAFE_INTEGER)
const isAddress = matching(/^0x[0-9a-f]{40}$/)
export const isHash = matching(/^0x[0-9a-f]{64}$/)
const isInteger = matching(/^-?\d{1,80}$/)
const isNumber: Test = (value) => typeof value === 'number'
const isBoolean: Test = (value) => typeof value === 'boolean'

const hasForm = (value: unknown, form: Readonly<Record<string, Test>>): value is JsonRecord =>
  isRecord(value) && Object.entries(form).every(([name, test]) => test(value[name]))

const int24Max = 2 ** 23 - 1

const rowForm: Readonly<Partial<Record<keyof PoolView, Test>>> = {
  id: matching(/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  version: (value) => value === 'v3' || value === 'v4',
  protocol: (value) => protocols.some(({ id }) => id === value),
  kind: matching(/^(?:canonical|meme|stock-stock)$/),
  createdBlock: isCount,
  token0: isAddress,
  token1: isAddress,
  stockIsToken0: isBoolean,
  stockAddress: isAddress,
  otherAddress: isAddress,
  fee: integerBetween(0, 2 ** 24 - 1),
  tickSpacing: integerBetween(-int24Max, int24Max),
  hooks: orNull(isAddress),
  deployer: (value) => value === undefined || orNull(isAddress)(value),
  // Services of earlier versions send none.
  parameters: (value) => value === undefined || value === null || isHash(value),
  lastSwapBlock: orNull(isCount),
  stateTs: orNull(isCount),
  asOfBlock: orNull(isCount),
  sqrtPriceX96: orNull(isInteger),
  liquidity: orNull(isInteger),
  tick: orNull(isNumber),
}

/** Ids of pools that are contracts are addresses, those of a singleton's pools hashes. */
const hasIdOfProtocol = ({ id, version, protocol }: PoolView): boolean => {
  const { emitter, version: own } = getProtocol(protocol)
  return version === own && (emitter === 'pool') === !isHash(id)
}

/** A row of the list of pools; null if a field that is checked has another form. */
export const readRow = (value: unknown): PoolView | null => {
  if (!hasForm(value, rowForm as Readonly<Record<string, Test>>)) return null
  const row = value as unknown as PoolView
  return hasIdOfProtocol(row) ? row : null
}

const swapForm: Readonly<Record<string, Test>> = {
  txHash: isHash,
  logIndex: isCount,
  block: isCount,
  ts: isCount,
  sqrtPriceX96: isInteger,
}

/** A list of swaps; null if any has another form. */
export const readSwaps = (value: unknown): readonly SwapView[] | null =>
  Array.isArray(value) && value.every((each) => hasForm(each, swapForm))
    ? (value as readonly unknown[] as readonly SwapView[])
    : null
