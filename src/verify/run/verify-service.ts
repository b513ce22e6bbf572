import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, PoolId } from '../../domain/units.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import { type ExplainedRecord, readTogether } from '../service/read-together.ts'
import type { ServiceFault } from '../service/service-fault.ts'
import { type PublishedPage, pageRows } from '../service/service-reader.ts'
import type { Check } from '../tier.ts'
import type { RunContext } from './run-context.ts'
import { verifyRecord, verifyRows } from './verify-record.ts'

/** Which pools are checked. */
export type VerifyTarget =
  | { readonly kind: 'pools'; readonly ids: readonly PoolId[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'sample'; readonly count: number }

export type VerifyDeps = RunContext & {
  /** The block that the records are of; null for the newest one. */
  readonly block: BlockNumber | null
  /** A number from 0 to 1, 1 excluded. */
  readonly random: () => number
  /** Counts pools. */
  readonly onProgress: (done: number, total: number) => void
}

/** What was checked, and why pools were not. */
export type VerifyResult = {
  readonly checks: readonly Check[]
  readonly pools: number
  /** One sentence for each pool, or page of them, that could not be read. */
  readonly faults: readonly string[]
}

/** Says how many pools it is through with, each time. */
type Job = (advance: (pools: number) => void) => Promise<VerifyResult>

type Plan = { readonly jobs: readonly Job[]; readonly pools: number }

const refused = (fault: string): VerifyResult => ({ checks: [], pools: 0, faults: [fault] })

/** Pools of one block share the checks of that block. */
const joinResults = (parts: readonly VerifyResult[]): VerifyResult => ({
  checks: [...new Set(parts.flatMap(({ checks }) => checks))],
  pools: parts.reduce((sum, { pools }) => sum + pools, 0),
  faults: parts.flatMap(({ faults }) => faults),
})

/** Parts that are checked at once: while one waits for an answer, others ask. */
const inFlightMax = 4

const runAll = async (
  { jobs, pools }: Plan,
  onProgress: VerifyDeps['onProgress'],
): Promise<VerifyResult> => {
  const parts = new Array<VerifyResult>(jobs.length)
  const queue = jobs.entries()
  let done = 0
  const advance = (count: number): void => {
    done += count
    onProgress(done, pools)
  }
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each job runs once.
    for (const [index, job] of queue) {
      parts[index] = await job(advance)
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlightMax, jobs.length) }, worker))
  return joinResults(parts)
}

const poolFault = (id: PoolId, { kind, reason }: ServiceFault): string =>
  kind === 'not-found' ? `the service knows no pool ${id}` : `pool ${id}: ${reason}`

const readExplained = async (
  { service, tiers, block }: VerifyDeps,
  id: PoolId,
): Promise<Outcome<ExplainedRecord, ServiceFault>> => {
  if (tiers.has('numbers')) return readTogether(service, id, block)
  const record = await service.readRecord(id, block)
  return record.ok ? success({ record: record.value, provenance: null }) : record
}

const verifyPool = async (deps: VerifyDeps, id: PoolId): Promise<VerifyResult> => {
  const record = await readExplained(deps, id)
  if (!record.ok) return refused(poolFault(id, record.fault))
  return { checks: await verifyRecord(deps, record.value), pools: 1, faults: [] }
}

/** Rows of one page are of one block; before the first indexed one there is nothing to check. */
const verifyPage = async (deps: VerifyDeps, { rows }: PublishedPage): Promise<VerifyResult> => {
  const byBlock = Map.groupBy(rows, ({ asOfBlock }) => asOfBlock)
  const checks: Check[] = []
  for (const [block, own] of byBlock) {
    if (block === null) continue
    const ts = own.find(({ stateTs }) => stateTs !== null)?.stateTs ?? null
    checks.push(...(await verifyRows(deps, { block, hash: null, ts }, own)).checks)
  }
  return { checks, pools: rows.length, faults: [] }
}

const idsOf = (rows: readonly PoolView[]): readonly PoolId[] => rows.map(({ id }) => id)

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

/** Distinct numbers below the total, each as likely as any other. */
const chooseOffsets = (total: number, count: number, random: () => number): readonly number[] => {
  const chosen = new Set<number>()
  const wanted = Math.min(total, count)
  while (chosen.size < wanted) chosen.add(Math.floor(random() * total))
  return [...chosen]
}

const jobOf =
  (deps: VerifyDeps, offset: number, run: (page: PublishedPage) => Job): Job =>
  async (advance) => {
    const page = await deps.service.readPage(offset)
    return page.ok ? run(page.value)(advance) : refused(page.fault.reason)
  }

/** Pages suffice for the tiers state and proof of the newest block: the others need each record. */
const needsRecords = ({ tiers, block }: VerifyDeps): boolean =>
  block !== null || [...tiers].some((tier) => tier !== 'state' && tier !== 'proof')

const eachOf =
  (deps: VerifyDeps, ids: readonly PoolId[]): Job =>
  async (advance) => {
    const parts: VerifyResult[] = []
    for (const id of ids) {
      parts.push(await verifyPool(deps, id))
      advance(1)
    }
    return joinResults(parts)
  }

const pageOf =
  (deps: VerifyDeps, page: PublishedPage): Job =>
  async (advance) => {
    const result = await verifyPage(deps, page)
    advance(page.rows.length)
    return result
  }

const planOf = async (deps: VerifyDeps, target: VerifyTarget): Promise<Outcome<Plan, string>> => {
  if (target.kind === 'pools') {
    const { ids } = target
    return success({ jobs: ids.map((id) => eachOf(deps, [id])), pools: ids.length })
  }
  const first = await deps.service.readPage(0)
  if (!first.ok) return failure(first.fault.reason)
  const { total } = first.value
  if (target.kind === 'sample') {
    const offsets = chooseOffsets(total, target.count, deps.random)
    const one = ({ rows }: PublishedPage) => eachOf(deps, idsOf(rows.slice(0, 1)))
    return success({
      jobs: offsets.map((offset) => jobOf(deps, offset, one)),
      pools: offsets.length,
    })
  }
  const offsets = range(Math.ceil(total / pageRows)).map((page) => page * pageRows)
  const run = needsRecords(deps)
    ? ({ rows }: PublishedPage) => eachOf(deps, idsOf(rows))
    : (page: PublishedPage) => pageOf(deps, page)
  return success({ jobs: offsets.map((offset) => jobOf(deps, offset, run)), pools: total })
}

/** Checks what the service publishes of the pools. The fault says why it could not begin. */
export const verifyService = async (
  deps: VerifyDeps,
  target: VerifyTarget,
): Promise<Outcome<VerifyResult, string>> => {
  const plan = await planOf(deps, target)
  return plan.ok ? success(await runAll(plan.value, deps.onProgress)) : plan
}
