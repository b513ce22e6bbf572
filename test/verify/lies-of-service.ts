import { publishedFields } from '../../src/domain/provenance/formulas.ts'
import type { PoolDetailView, SwapView } from '../../src/domain/views/pool.ts'
import type { FieldProvenance, PoolProvenanceView } from '../../src/domain/views/provenance.ts'
import type { ServiceLie } from './lying-service.ts'

/** A lie, the tier that must find it, and the field that this tier must name. */
export type Lie<What> = {
  readonly name: string
  readonly tier: string
  readonly field: RegExp
  readonly lie: What
}

/** One digit more, or a number where there was none. */
const altered = (value: unknown): number | string => {
  if (typeof value === 'string') return String(BigInt(value) + 1n)
  if (typeof value !== 'number') return 1
  if (Number.isInteger(value)) return value + 1
  return value * (1 + 2 ** -50)
}

type Record = PoolDetailView & { readonly [name: string]: unknown }
type Provenance = PoolProvenanceView & { readonly [name: string]: unknown }

const onRecord = (body: unknown, change: (record: Record) => object): unknown => ({
  ...(body as object),
  ...change(body as Record),
})

const mapFields = (
  provenance: Provenance,
  change: (field: FieldProvenance) => FieldProvenance,
): unknown => ({ ...provenance, fields: provenance.fields.map(change) })

const inRow =
  (field: string) =>
  (body: unknown): unknown =>
    onRecord(body, ({ pool }) => ({
      pool: { ...pool, [field]: altered(pool[field as keyof typeof pool]) },
    }))

/** A number is altered in the row and in its provenance, whose inputs stay. */
const inconsistent = (field: string): Lie<ServiceLie> => ({
  name: `${field} in the row and its provenance`,
  tier: 'numbers',
  field: new RegExp(`^${field}$`),
  lie: (part, body) => {
    if (part === 'record') return inRow(field)(body)
    if (part !== 'provenance') return undefined
    return mapFields(body as Provenance, (each) =>
      each.field === field ? { ...each, value: altered(each.value) } : each,
    )
  },
})

/** Altered wherever it occurs, so that formula and inputs agree. */
const everywhere = (field: string, tier: string, found = field): Lie<ServiceLie> => ({
  name: `${field} wherever it occurs`,
  tier,
  field: new RegExp(found),
  lie: (part, body) => {
    if (part === 'record') return inRow(field)(body)
    if (part !== 'provenance') return undefined
    const change = (each: FieldProvenance): FieldProvenance => ({
      ...each,
      value: each.field === field ? altered(each.value) : each.value,
      inputs: each.inputs.map((input) =>
        input.name === field ? { ...input, value: altered(input.value) } : input,
      ),
    })
    return mapFields(body as Provenance, change)
  },
})

const ofInput = (name: string, found: string): Lie<ServiceLie> => ({
  name: `the input ${name}`,
  tier: 'numbers',
  field: new RegExp(found),
  lie: (part, body) =>
    part === 'provenance'
      ? mapFields(body as Provenance, (each) => ({
          ...each,
          inputs: each.inputs.map((input) =>
            input.name === name ? { ...input, value: altered(input.value) } : input,
          ),
        }))
      : undefined,
})

const ofTicks = (
  name: string,
  change: (ticks: NonNullable<PoolProvenanceView['ticks']>) => unknown,
): Lie<ServiceLie> => ({
  name,
  tier: 'proof',
  field: /^ticks$/,
  lie: (part, body) =>
    part === 'provenance'
      ? { ...body, ticks: change((body as Provenance).ticks ?? []) }
      : undefined,
})

const ofSwaps = (
  name: string,
  change: (newest: SwapView, others: readonly SwapView[]) => unknown,
): Lie<ServiceLie> => ({
  name,
  tier: 'logs',
  field: /^swaps? /,
  lie: (part, body) =>
    part === 'record'
      ? onRecord(body, ({ swaps: [newest, ...others] }) => ({
          swaps: newest === undefined ? [] : change(newest, others),
        }))
      : undefined,
})

const otherHash = `0x${'11'.repeat(32)}`
const otherAddress = `0x${'22'.repeat(20)}`

const ofRow = (field: string, value: unknown): Lie<ServiceLie> => ({
  name: `${field} of another pool`,
  tier: 'state',
  field: /^(?:id|stockAddress|otherAddress)$/,
  lie: (part, body) =>
    part === 'record'
      ? onRecord(body, ({ pool }) => ({ pool: { ...pool, [field]: value } }))
      : undefined,
})

export const liesOfService: readonly Lie<ServiceLie>[] = [
  // Of another block a record has other values altogether.
  ...publishedFields.filter((field) => field !== 'asOfBlock').map(inconsistent),
  everywhere('sqrtPriceX96', 'state', '^sqrtPriceX96$'),
  everywhere('sqrtPriceX96', 'proof', '^sqrtPriceX96$'),
  everywhere('tick', 'state', '^tick$'),
  everywhere('tick', 'proof', '^tick$'),
  everywhere('liquidity', 'state', '^liquidity$'),
  everywhere('liquidity', 'proof', '^liquidity$'),
  everywhere('createdBlock', 'logs'),
  everywhere('tickSpacing', 'logs'),
  everywhere('fee', 'state', '^id$'),
  everywhere('lastSwapTs', 'logs'),
  everywhere('lastSwapBlock', 'logs'),
  everywhere('lastSwapFee', 'logs'),
  ofInput('decimals0', '^decimals0$'),
  ofInput('decimals1', '^decimals1$'),
  ofInput('multiplier', '^multiplier of '),
  ofInput('blockTs', '^blockTs$'),
  ofTicks('a tick left out', ([, ...others]) => others),
  ofTicks('a tick with another liquidity', ([first, ...others]) => [
    { ...first, liquidityGross: altered(first?.liquidityGross) },
    ...others,
  ]),
  ofTicks('an invented tick', (ticks) => [
    { tick: -887_000, liquidityNet: '1', liquidityGross: '1' },
    ...ticks,
  ]),
  ofSwaps('a swap of another transaction', (newest, others) => [
    { ...newest, txHash: otherHash },
    ...others,
  ]),
  ofSwaps('a swap at another place', (newest, others) => [
    { ...newest, logIndex: newest.logIndex + 1 },
    ...others,
  ]),
  ofSwaps('a swap twice', (newest, others) => [
    newest,
    { ...newest, logIndex: newest.logIndex + 1 },
    ...others,
  ]),
  ofSwaps('a swap with another tick', (newest, others) => [
    { ...newest, tick: newest.tick + 1 },
    ...others,
  ]),
  ofSwaps('a swap with another amount', (newest, others) => [
    { ...newest, stockAmount: altered(newest.stockAmount) },
    ...others,
  ]),
  ofSwaps('a swap of the other side', (newest, others) => [
    { ...newest, side: newest.side === 'buy' ? 'sell' : 'buy' },
    ...others,
  ]),
  ofRow('token0', otherAddress),
  ofRow('token1', otherAddress),
  ofRow('stockAddress', otherAddress),
  ofRow('otherAddress', otherAddress),
  {
    name: 'another swap in the list of a day',
    tier: 'numbers',
    field: /^(?:vol24hUsd|swaps24h)$/,
    lie: (part, body) =>
      part === 'swaps'
        ? { ...body, items: (body.items as readonly unknown[]).slice(1) }
        : undefined,
  },
  {
    name: 'a formula that is not of the methodology',
    tier: 'numbers',
    field: /^stockPriceUsd$/,
    lie: (part, body) =>
      part === 'provenance'
        ? mapFields(body as Provenance, (each) =>
            each.field === 'stockPriceUsd' ? { ...each, formula: '1 + 1' } : each,
          )
        : undefined,
  },
  {
    name: 'a number that is not explained',
    tier: 'numbers',
    field: /^liquidityUsd$/,
    lie: (part, body) =>
      part === 'provenance'
        ? {
            ...body,
            fields: (body as Provenance).fields.filter(({ field }) => field !== 'liquidityUsd'),
          }
        : undefined,
  },
  {
    name: 'the hash of no block',
    tier: 'state',
    field: /^block hash$/,
    lie: (part, body) => (part === 'provenance' ? { ...body, asOfHash: otherHash } : undefined),
  },
]
