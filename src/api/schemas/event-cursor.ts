import type { EventCursor } from '../../domain/history/event-cursor.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { HistoryPage } from '../../domain/views/history.ts'
import type { EventFault } from '../../market/history.ts'
import { encodeCursor } from '../http/cursor.ts'
import { type ErrorCode, type Problem, problems } from '../http/problems.ts'

export const parseEventCursor = (payload: string): EventCursor => {
  const [block, logIndex, ts, txDigits, hashDigits] = payload.split(' ')
  return {
    block: Number(block),
    logIndex: Number(logIndex),
    ts: Number(ts),
    txPrefix: `0x${txDigits}`,
    // Cursors of earlier versions are without.
    hashPrefix: hashDigits === undefined ? null : `0x${hashDigits}`,
  }
}

const writeEventCursor = (cursor: EventCursor): string => {
  const { block, logIndex, ts, txPrefix, hashPrefix } = cursor
  const hashDigits = hashPrefix === null ? [] : [hashPrefix.slice(2)]
  return [block, logIndex, ts, txPrefix.slice(2), ...hashDigits].join(' ')
}

export const eventErrors: readonly ErrorCode[] = ['cursor_replaced', 'history_pruned']

/** The answer of a list of events; `scope` names the list. */
export const toEventAnswer = <Item>(
  result: Outcome<HistoryPage<Item, EventCursor>, EventFault>,
  scope: readonly string[],
): Outcome<HistoryPage<Item>, Problem> => {
  if (!result.ok) {
    const { fault } = result
    if (fault.kind === 'cursor-replaced') return failure(problems.cursorReplaced)
    return failure(problems.historyPruned(fault.keptSince))
  }
  const { next } = result.value
  return success({
    ...result.value,
    next: next === null ? null : encodeCursor(scope, writeEventCursor(next)),
  })
}
