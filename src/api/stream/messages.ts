import type { TObject } from 'typebox'
import type { PoolId } from '../../domain/units.ts'
import type { ChangeEvent } from '../../market/changes.ts'
import type { StreamPosition } from '../../market/stream-position.ts'
import { createBodyWriter } from '../http/serialize.ts'
import { ResyncChangeSchema, RollbackChangeSchema, SwapChangeSchema } from '../schemas/changes.ts'
import { PoolSchema } from '../schemas/pool.ts'
import { SourceSchema } from '../schemas/service.ts'
import { StockSchema } from '../schemas/stock.ts'

/** The data of an event has the schema of the endpoint that returns the same. */
const topicSchemas = {
  pool: PoolSchema,
  swap: SwapChangeSchema,
  stock: StockSchema,
  source: SourceSchema,
  rollback: RollbackChangeSchema,
  resync: ResyncChangeSchema,
} as const satisfies Record<ChangeEvent['topic'], TObject>

export type Topic = keyof typeof topicSchemas

/** Topics that a client can select; every subscriber receives the other two. */
export const selectableTopics = ['pool', 'swap', 'stock', 'source'] as const

/** An encoded event with the fields that filters read. */
export type Message = Pick<ChangeEvent, 'topic' | 'about'> & {
  readonly sequence: number
  readonly position: StreamPosition | null
  readonly bytes: Buffer
}

const writers = Object.fromEntries(
  Object.entries(topicSchemas).map(([topic, schema]) => [topic, createBodyWriter(schema)]),
) as Record<Topic, (value: unknown) => string>

/** Serialized JSON contains no line breaks, so each event has one `data` line. */
export const encodeMessage = (
  { topic, data, about }: ChangeEvent,
  { sequence, position, id }: Pick<Message, 'sequence' | 'position'> & { readonly id: string },
): Message => ({
  topic,
  about,
  sequence,
  position,
  bytes: Buffer.from(`id: ${id}\nevent: ${topic}\ndata: ${writers[topic](data)}\n\n`),
})

export const joinMessages = (messages: readonly Message[]): Buffer => {
  const [first] = messages
  if (first !== undefined && messages.length === 1) return first.bytes
  return Buffer.concat(messages.map(({ bytes }) => bytes))
}

export type StreamFilter = {
  readonly topics: readonly (typeof selectableTopics)[number][]
  /** Upper case. */
  readonly symbol: string | null
  readonly id: PoolId | null
}

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

/** Equal for equal filters, so that their subscribers form one group. */
export const filterKey = ({ topics, symbol, id }: StreamFilter): string =>
  JSON.stringify([[...topics].sort(), symbol, id])
