import { join } from 'node:path'
import { createSyntheticChain, type SyntheticChain } from '../chain/generate.ts'
import { lastChainBlock, originBlock } from '../chain/params.ts'
import { type RunningNode, startNode } from '../chain/start-node.ts'
import { type ResourceUsage, runScript } from '../child.ts'
import { type Cost, costUnknown, type Goal, type Limit, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import type { IndexingReport, IndexingTask } from '../index-process.ts'
import type { LimitKind, LimitReport, LimitTask } from '../limits-process.ts'
import { openPeers } from '../peers/open-peers.ts'
import { findStoreMismatch } from '../store-check.ts'

/** Rows 1 to 5: speed of indexing a chain. */

type IndexingBench = {
  readonly context: BenchContext
  readonly chain: SyntheticChain
  readonly node: RunningNode
}

const logsMax = 10_000
const near = { latencyMs: 0, logsMax }
const far = { latencyMs: 50, logsMax }
/** Limits are measured without a maximum of logs per response. */
const generous = { latencyMs: 0, logsMax: Number.MAX_SAFE_INTEGER }

type Indexed = IndexingReport & {
  /** CPU that the node used during the run. */
  readonly nodeCpuSeconds: number
}

/** Indexes into a new store and compares the store with the chain. */
const index = async ({ context, chain, node }: IndexingBench, name: string): Promise<Indexed> => {
  const storePath = join(context.directory, `${name}-${performance.now()}.sqlite`)
  await node.resetCounts()
  const before = process.cpuUsage()
  const task: IndexingTask = { url: node.url, storePath }
  const report = await runScript<IndexingReport>('./index-process.ts', task)
  const { user, system } = process.cpuUsage(before)
  for (const warning of report.warnings) context.say(`  ${warning}`)
  const mismatch = await findStoreMismatch(chain, storePath)
  if (mismatch !== null) throw new Error(`${name}: ${mismatch}`)
  context.say(`${name}: ${report.seconds.toFixed(2)} s; every event and state matches the chain`)
  return { ...report, nodeCpuSeconds: (user + system) / 1e6 }
}

const measureLimit = async (
  { chain, node }: IndexingBench,
  kind: LimitKind,
): Promise<LimitReport> => {
  const range = { from: originBlock, to: lastChainBlock(chain.params) }
  await node.resetCounts()
  const task: LimitTask = { kind, url: node.url, ...range }
  const report = await runScript<LimitReport>('./limits-process.ts', task)
  const { logs: served } = await node.counts()
  const counted = report.logs ?? served
  if (served !== chain.logs.length || counted !== served) {
    throw new Error(`${kind}: ${counted} of ${chain.logs.length} logs`)
  }
  return report
}

const costOf = ({ seconds, cpuSeconds, rssPeakMb }: ResourceUsage): Cost => ({
  wallSeconds: seconds,
  cpuSeconds,
  peakMb: rssPeakMb,
})

const atLeast = (bound: number): Goal => ({ kind: 'at-least', of: 'value', bound })
const atMost = (bound: number): Goal => ({ kind: 'at-most', of: 'value', bound })

type Limits = Readonly<Record<LimitKind, LimitReport>>

const limitNames: Readonly<Record<LimitKind, string>> = {
  drain: 'limit: the bytes thrown away, 4 connections',
  fetch: 'limit: fetch and text, one by one',
  parse: 'limit: JSON.parse alone',
  decode: 'limit: JSON.parse and all words to bigint',
}

/** Limits of the same chain, in events per second. */
const samplesOfLimits = (limits: Limits, events: number): readonly Sample[] =>
  (Object.keys(limitNames) as LimitKind[]).map((kind) => ({
    row: 1,
    what: limitNames[kind],
    value: events / limits[kind].seconds,
    unit: 'events/s',
    limit: null,
    goal: null,
    cost: costOf(limits[kind]),
    remark: null,
  }))

type Runs = { readonly near: Indexed; readonly far: Indexed | null; readonly limits: Limits }

const samplesOf = ({ chain }: IndexingBench, { near, far, limits }: Runs): readonly Sample[] => {
  const { events } = chain.params
  const { parse, drain } = limits
  const sample = (
    [row, what, unit]: readonly [number, string, string],
    value: number,
    rest: { readonly limit: Limit; readonly goal: Goal } & Partial<Sample>,
  ): Sample => ({ row, what, unit, value, cost: costUnknown, remark: null, ...rest })
  const parsed: Limit = { what: 'by JSON.parse alone', value: events / parse.seconds }
  const share = `the node spent ${near.nodeCpuSeconds.toFixed(2)} CPU s of its own in row 1; `
  const drained = `drained it gives ${Math.round(events / drain.seconds).toLocaleString('en')}/s`
  const rows: readonly (Sample | null)[] = [
    sample([1, 'backfill', 'events/s'], events / near.seconds, {
      limit: parsed,
      goal: atLeast(40_000),
      cost: costOf(near),
      remark: share + drained,
    }),
    far &&
      sample([2, 'with 50 ms and 10,000 logs an answer', 'events/s'], events / far.seconds, {
        limit: parsed,
        goal: atLeast(30_000),
        cost: costOf(far),
      }),
    sample([3, 'per CPU second, store included', 'events'], events / near.cpuSeconds, {
      limit: { what: 'by JSON.parse alone', value: events / parse.cpuSeconds },
      goal: atLeast(25_000),
    }),
    sample([4, 'peak memory of row 1', 'MB'], near.rssPeakMb, {
      limit: { what: 'MB of JSON.parse alone', value: parse.rssPeakMb },
      goal: atMost(250),
    }),
    sample([5, 'requests of row 1', 'requests'], near.counts.requests, {
      limit: { what: 'answers of 10,000 logs', value: Math.ceil(chain.logs.length / logsMax) },
      goal: atMost(60),
    }),
  ]
  return rows.filter((row) => row !== null)
}

const measureLimits = async (bench: IndexingBench): Promise<Limits> => ({
  drain: await measureLimit(bench, 'drain'),
  fetch: await measureLimit(bench, 'fetch'),
  parse: await measureLimit(bench, 'parse'),
  decode: await measureLimit(bench, 'decode'),
})

export const indexingGroup: Group = {
  name: 'indexing',
  rows: [1, 2, 3, 4, 5],
  open: async (context) => {
    const { chain: params } = context.options
    context.say(`drawing ${params.events} events of ${params.pools} pools`)
    const chain = createSyntheticChain(params)
    const node = await startNode({ params })
    const bench: IndexingBench = { context, chain, node }
    const peers = await openPeers(context, { chain, node })
    return {
      round: async () => {
        await node.setBehavior(generous)
        const limits = await measureLimits(bench)
        await node.setBehavior(near)
        const nearRun = await index(bench, 'loopback')
        const ownEventsPerSecond = params.events / nearRun.seconds
        const others = await peers.round(ownEventsPerSecond)
        await node.setBehavior(far)
        const farRun = context.isSelected(2) ? await index(bench, '50 ms') : null
        const runs: Runs = { near: nearRun, far: farRun, limits }
        return [...samplesOf(bench, runs), ...samplesOfLimits(limits, params.events), ...others]
      },
      omissions: peers.omissions,
      close: async () => {
        await peers.close()
        await node.stop()
      },
    }
  },
}
