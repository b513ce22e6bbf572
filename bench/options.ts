import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ChainParams, defaultChainParams } from './chain/params.ts'
import { type PeerName, peerNames } from './peers/names.ts'

/** Sizes of a run; the defaults are those of docs/performance.md. */
export type BenchOptions = {
  readonly rows: ReadonlySet<number>
  readonly repeat: number
  readonly chain: ChainParams
  /** Pools of the lists and the stream. */
  readonly pools: number
  /** Duration of load per request kind. */
  readonly seconds: number
  /** Pages of the past that are asked for, of each kind. */
  readonly pastPages: number
  readonly subscribers: number
  /** Blocks whose latency is measured. */
  readonly blocks: number
  readonly storePools: number
  readonly storeSwaps: number
  readonly growth: readonly number[]
  readonly peers: readonly PeerName[]
  /** True to keep the peers' folders. */
  readonly keep: boolean
  readonly json: string
  readonly history: string
  readonly plot: string
}

const rowLast = 16
export const allRows: ReadonlySet<number> = new Set(
  Array.from({ length: rowLast }, (_, at) => at + 1),
)

const outPath = (name: string): string => fileURLToPath(new URL(`./out/${name}`, import.meta.url))

export const defaultOptions: BenchOptions = {
  rows: allRows,
  repeat: 3,
  chain: defaultChainParams,
  pools: 46_000,
  seconds: 5,
  pastPages: 20,
  subscribers: 1000,
  blocks: 40,
  storePools: 46_000,
  storeSwaps: 4_000_000,
  growth: [1000, 10_000, 100_000],
  peers: [],
  keep: false,
  json: outPath('results.json'),
  history: outPath('history.jsonl'),
  plot: outPath('growth.svg'),
}

const text = { type: 'string' } as const
const flags = {
  rows: text,
  repeat: text,
  events: text,
  'chain-pools': text,
  'chain-blocks': text,
  pools: text,
  seconds: text,
  blocks: text,
  'store-pools': text,
  'store-swaps': text,
  growth: text,
  peers: { type: 'boolean' },
  only: text,
  keep: { type: 'boolean' },
  json: text,
  history: text,
  plot: text,
} as const

const countOf = (name: string, given: string): number => {
  const value = Number(given)
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`--${name} must be a positive integer, not "${given}"`)
  return value
}

const peerOf = (given: string): PeerName => {
  const name = peerNames.find((known) => known === given)
  if (name === undefined) throw new RangeError(`--only must be one of ${peerNames.join(', ')}`)
  return name
}

const rowOf = (given: string): number => {
  const row = countOf('rows', given)
  if (!allRows.has(row)) throw new RangeError(`--rows must be from 1 to ${rowLast}`)
  return row
}

/** Parses the command line; throws one line that names the invalid flag. */
export const parseOptions = (
  args: readonly string[],
  base: BenchOptions = defaultOptions,
): BenchOptions => {
  const { values } = parseArgs({ args: [...args], options: flags })
  const count = (name: keyof typeof flags & keyof typeof values, otherwise: number): number => {
    const given = values[name]
    return typeof given === 'string' ? countOf(name, given) : otherwise
  }
  const list = (given: string | undefined) => given?.split(',').map((each) => each.trim())
  return {
    ...base,
    rows: new Set(list(values.rows)?.map(rowOf) ?? base.rows),
    repeat: count('repeat', base.repeat),
    chain: {
      ...base.chain,
      events: count('events', base.chain.events),
      pools: count('chain-pools', base.chain.pools),
      blocks: count('chain-blocks', base.chain.blocks),
    },
    pools: count('pools', base.pools),
    seconds: count('seconds', base.seconds),
    blocks: count('blocks', base.blocks),
    storePools: count('store-pools', base.storePools),
    storeSwaps: count('store-swaps', base.storeSwaps),
    growth: list(values.growth)?.map((each) => countOf('growth', each)) ?? base.growth,
    peers: values.peers === true ? (list(values.only)?.map(peerOf) ?? peerNames) : base.peers,
    keep: values.keep ?? base.keep,
    json: values.json ?? base.json,
    history: values.history ?? base.history,
    plot: values.plot ?? base.plot,
  }
}
