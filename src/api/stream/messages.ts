import type { TObject } from 'typebox'
import type { PoolId } from '../../domain/units.ts'
import type { ChangeEvent } from '../../market/changes.ts'
import { createBodyWriter } from '../http/serialize.ts'
import { ResyncNewsSchema, RollbackNewsSchema, SwapNewsSchema } from '../schemas/changes.ts'
import { PoolSchema } from '../schemas/pool.ts'
import { SourceSchema } from '../schemas/service.ts'
import { StockSchema } from '../schemas/stock.ts'

/** What can be listened to, and how it looks: as the replies that hold the same. */
const topicSchemas = {
  pool: PoolSchema,
  swap: SwapNewsSchema,
  stock: StockSchema,
  source: SourceSchema,
  rollback: RollbackNewsSchema,
  resync: ResyncNewsSchema,
} as const satisfies Record<ChangeEvent['topic'], TObject>

export type Topic = keyof typeof topicSchemas

/** These concern whoever listens to anything. */
export const choosableTopics = ['pool', 'swap', 'stock', 'source'] as const

/** An event as it goes over the wire, with what filters look at. */
export type Message = Pick<ChangeEvent, 'topic' | 'about'> & {
  readonly sequence: number
  readonly bytes: Buffer
}

const writers = Object.fromEntries(
  Object.entries(topicSchemas).map(([topic, schema]) => [topic, createBodyWriter(schema)]),
) as Record<Topic, (value: unknown) => string>

/** JSON has no line breaks of its own, so each event is one line of data. */
export const messageOf = (
  { topic, data, about }: ChangeEvent,
  sequence: number,
  id: string,
): Message => ({
  topic,
  about,
  sequence,
  bytes: Buffer.from(`id: ${id}\nevent: ${topic}\ndata: ${writers[topic](data)}\n\n`),
})

export type StreamFilter = {
  readonly topics: readonly (typeof choosableTopics)[number][]
  /** Upper case. */
  readonly symbol: string | null
  readonly id: PoolId | null
}

/** Whether somebody with this filter hears of it. Breaks in the chain concern everybody. */
export const matchesFilter = (
  { topic, about }: Pick<Message, 'topic' | 'about'>,
  filter: StreamFilter,
) => {
  if (topic === 'rollback' || topic === 'resync') return true
  if (!filter.topics.includes(topic)) return false
  if (about === null) return true
  const { symbol, id } = filter
  return (symbol === null || about.symbols.includes(symbol)) && (id === null || about.poolId === id)
}

/** One name for each filter, so that those who hear the same are served together. */
export const filterKey = ({ topics, symbol, id }: StreamFilter): string =>
  JSON.stringify([[...topics].sort(), symbol, id])
