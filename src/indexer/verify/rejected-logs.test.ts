import { describe, expect, it } from 'vitest'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { createRejectedLogs } from './rejected-logs.ts'

const forged = (pool: number) => ({ reason: 'not of its factory', example: `pool ${pool}` })
const torn = { reason: 'Swap: not the shape of this event', example: 'block 7, log 1' }

const loggedCounts = (journal: ReturnType<typeof createJournal>) =>
  journal.of('warn').map(({ fields }) => fields?.count)

describe('refused logs', () => {
  // A wrong init code hash refuses every pool of a factory: thousands, for one reason.
  it('are logged at the first, tenth and hundredth of a reason, with the first as example', () => {
    const journal = createJournal()
    const refused = createRejectedLogs(journal.logger)
    for (let pool = 1; pool <= 5000; pool++) refused.record(forged(pool))
    expect(loggedCounts(journal)).toEqual([1, 10, 100, 1000])
    expect(journal.of('warn')[3]).toMatchObject({
      message: 'Rejected logs from a configured contract',
      fields: { reason: 'not of its factory', count: 1000, example: 'pool 1' },
    })
    expect(refused.warning()).toBe('5000 logs were rejected, not of its factory: pool 1')
  })

  it('of one range are logged together', () => {
    const journal = createJournal()
    const refused = createRejectedLogs(journal.logger)
    for (const count of [30, 30, 30, 30]) refused.record(forged(1), count)
    expect(loggedCounts(journal)).toEqual([30, 120])
  })

  it('of several reasons are counted apart; the status names the most frequent', () => {
    const journal = createJournal()
    const refused = createRejectedLogs(journal.logger)
    expect(refused.warning()).toBe(null)
    refused.record(torn)
    refused.record(forged(1), 3)
    expect(loggedCounts(journal)).toEqual([1, 3])
    expect(refused.warning()).toBe('4 logs were rejected, most of them: not of its factory: pool 1')
  })
})
