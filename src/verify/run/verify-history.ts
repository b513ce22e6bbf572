import { getProtocol } from '../../domain/dex/find-protocol.ts'
import { topicsOf } from '../../domain/dex/protocol.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { SwapView } from '../../domain/views/pool.ts'
import { checkHistory } from '../check-history.ts'
import type { LogQuestion } from '../node/read-logs.ts'
import type { ProvenHeader } from '../prove-header.ts'
import type { ExplainedRecord } from '../service/read-together.ts'
import { type Check, unchecked, withoutEvidence } from '../tier.ts'
import { findVenue } from '../venues.ts'
import type { RunContext } from './run-context.ts'

const questionOf = (
  { venues }: RunContext,
  { record: { row, at } }: ExplainedRecord,
): LogQuestion | null => {
  const range = { fromBlock: row.createdBlock, toBlock: at.block }
  const protocol = getProtocol(row.protocol)
  const topics = topicsOf(protocol)
  if (protocol.emitter === 'pool') return { address: row.id, topics: [topics], ...range }
  const venue = findVenue(venues, row)
  return venue && { address: venue.address, topics: [topics, [row.id]], ...range }
}

const daySwaps = async (
  { service }: RunContext,
  { record }: ExplainedRecord,
  header: ProvenHeader | null,
): Promise<readonly SwapView[] | null> => {
  if (header === null) return null
  const range = { from: Math.max(0, header.ts - secondsPerDay + 1), to: header.ts }
  const swaps = await service.readSwaps(record.row.id, range)
  return swaps.ok ? swaps.value.filter(({ block }) => block <= header.block) : null
}

/** The history tier, by all logs of a pool since its creation. */
export const verifyHistory = async (
  context: RunContext,
  explained: ExplainedRecord,
  header: ProvenHeader | null,
): Promise<readonly Check[]> => {
  const { row } = explained.record
  const of = { tier: 'history', subject: row.id, field: 'logs' } as const
  const question = questionOf(context, explained)
  if (question === null) return [unchecked(of, 'the network file does not name one PoolManager')]
  const logs = await context.node.readLogs(question)
  if (!logs.ok) return [withoutEvidence(of, logs.fault)]
  const swaps = await daySwaps(context, explained, header)
  return checkHistory(row, logs.value, { ticks: explained.provenance?.ticks ?? null, swaps })
}
