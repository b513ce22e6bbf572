import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, PoolId, UnixSeconds } from '../../domain/units.ts'
import type { PoolView, SwapView } from '../../domain/views/pool.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import { isRecord, type JsonRecord } from '../../net/json.ts'
import type { AskService } from './ask-service.ts'
import type { PublishedRecord, RecordBlock } from './published-record.ts'
import { readProvenance } from './read-provenance.ts'
import { isCount, readRow, readSwaps } from './read-row.ts'
import { type ServiceFault, serviceFault } from './service-fault.ts'

type Answer<T> = Outcome<T, ServiceFault>

/** Which service it is. */
export type ServiceIdentity = {
  readonly network: string
  readonly chainId: number
  readonly methodologyVersion: string
}

/** One page of the list of all pools, of one block. */
export type PublishedPage = {
  readonly total: number
  readonly rows: readonly PoolView[]
}

type SecondsRange = { readonly from: UnixSeconds; readonly to: UnixSeconds }

export type ServiceReader = {
  readonly readIdentity: () => Promise<Answer<ServiceIdentity>>
  /** Without a block, the record of the newest one. */
  readonly readRecord: (id: PoolId, block: BlockNumber | null) => Promise<Answer<PublishedRecord>>
  /** How the numbers of that record were made. */
  readonly readProvenance: (
    id: PoolId,
    block: BlockNumber | null,
  ) => Promise<Answer<PoolProvenanceView>>
  /** All swaps of a pool in this range of seconds, both included, oldest first. */
  readonly readSwaps: (id: PoolId, range: SecondsRange) => Promise<Answer<readonly SwapView[]>>
  readonly readPage: (offset: number) => Promise<Answer<PublishedPage>>
}

/** The service's maximum. */
export const pageRows = 50

/** As many swaps as a record lists. */
const swapsMax = 100

const otherForm = (path: string) =>
  serviceFault('malformed', `the service's answer to ${path} has another form than documented`)

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : null)

const createReadIdentity =
  (ask: AskService): ServiceReader['readIdentity'] =>
  async () => {
    const status = await ask('/api/v1/status')
    if (!status.ok) return status
    const health = await ask('/api/v1/health')
    if (!health.ok) return health
    const chain = fieldOf(status.value, 'chain')
    const [chainId, network] = [fieldOf(chain, 'chainId'), fieldOf(chain, 'network')]
    const methodologyVersion = fieldOf(health.value, 'methodologyVersion')
    if (!isCount(chainId) || typeof network !== 'string') return otherForm('/api/v1/status')
    if (typeof methodologyVersion !== 'string') return otherForm('/api/v1/health')
    return success({ network, chainId: Number(chainId), methodologyVersion })
  }

/** The time of a block of the past is known only where something was indexed in it. */
const momentOf = (
  { asOfBlock, stateTs }: PoolView,
  past: unknown,
): { readonly at: RecordBlock; readonly tsBlock: BlockNumber } | null => {
  if (asOfBlock === null) return null
  const stated = fieldOf(past, 'tsBlock') ?? asOfBlock
  if (!isCount(stated)) return null
  const tsBlock = Number(stated)
  return {
    at: { block: asOfBlock, hash: null, ts: tsBlock === asOfBlock ? stateTs : null },
    tsBlock,
  }
}

const firstCompleteBlock = (swaps: readonly SwapView[], row: PoolView): BlockNumber => {
  const oldest = swaps.at(-1)
  // The blocks without a listed swap are checked as such only near the newest ones.
  if (oldest === undefined) return row.lastSwapBlock === null ? 0 : row.lastSwapBlock + 1
  return swaps.length < swapsMax ? oldest.block : oldest.block + 1
}

const toRecord = (body: JsonRecord, id: PoolId): PublishedRecord | null => {
  const row = readRow(body.pool)
  const swaps = readSwaps(body.swaps)
  if (row === null || swaps === null || row.id !== id) return null
  const moment = momentOf(row, body.past)
  return moment && { ...moment, row, swaps, swapsFrom: firstCompleteBlock(swaps, row) }
}

const createReadRecord =
  (ask: AskService): ServiceReader['readRecord'] =>
  async (id, block) => {
    const path = `/api/v1/pools/${id}?range=24h${block === null ? '' : `&asOfBlock=${block}`}`
    const answer = await ask(path)
    if (!answer.ok) return answer
    const found = isRecord(answer.value) ? toRecord(answer.value, id) : null
    return found === null ? otherForm(path) : success(found)
  }

const createReadProvenance =
  (ask: AskService): ServiceReader['readProvenance'] =>
  async (id, block) => {
    const path = `/api/v1/pools/${id}/provenance${block === null ? '' : `?asOfBlock=${block}`}`
    const answer = await ask(path)
    if (!answer.ok) return answer
    const provenance = readProvenance(answer.value)
    return provenance === null ? otherForm(path) : success(provenance)
  }

/** More pages than the swaps of a day in any pool have; a cursor that never ends is a lie. */
const swapPagesMax = 500

const createReadSwaps =
  (ask: AskService): ServiceReader['readSwaps'] =>
  async (id, { from, to }) => {
    const path = `/api/v1/pools/${id}/swaps?from=${from}&to=${to}&order=asc&limit=1000`
    const swaps: SwapView[] = []
    let cursor = ''
    for (let page = 0; page < swapPagesMax; page++) {
      const answer = await ask(`${path}${cursor}`)
      if (!answer.ok) return answer
      const items = readSwaps(fieldOf(answer.value, 'items'))
      const next = fieldOf(answer.value, 'next')
      if (items === null) return otherForm(path)
      swaps.push(...items)
      if (typeof next !== 'string') return success(swaps)
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    return otherForm(path)
  }

const createReadPage =
  (ask: AskService): ServiceReader['readPage'] =>
  async (offset) => {
    const path = `/api/v1/pools?limit=${pageRows}&offset=${offset}`
    const answer = await ask(path)
    if (!answer.ok) return answer
    const [items, total] = [fieldOf(answer.value, 'items'), fieldOf(answer.value, 'total')]
    if (!Array.isArray(items) || !isCount(total)) return otherForm(path)
    const rows = items.map(readRow).filter((row) => row !== null)
    return rows.length === items.length ? success({ total: Number(total), rows }) : otherForm(path)
  }

export const createServiceReader = (ask: AskService): ServiceReader => ({
  readIdentity: createReadIdentity(ask),
  readRecord: createReadRecord(ask),
  readProvenance: createReadProvenance(ask),
  readSwaps: createReadSwaps(ask),
  readPage: createReadPage(ask),
})
