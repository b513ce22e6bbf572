import type { PoolId } from '../../domain/units.ts'
import type { choosableTopics, Message } from './messages.ts'

export type StreamFilter = {
  readonly topics: readonly (typeof choosableTopics)[number][]
  /** Upper case. */
  readonly symbol: string | null
  readonly id: PoolId | null
}

/** Whether somebody with this filter hears of it. Breaks in the chain concern everybody. */
export const passes = (
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
export const nameOfFilter = ({ topics, symbol, id }: StreamFilter): string =>
  JSON.stringify([[...topics].sort(), symbol, id])
