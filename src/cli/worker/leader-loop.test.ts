import { describe, expect, test } from 'vitest'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { HeldLease, LeaseView } from '../../store/postgres/lease.ts'
import { type LeaderLoopDeps, startLeaderLoop } from './leader-loop.ts'

/*
 * An index under a lease, with a lease of paper. What happens is noted in order:
 *
 *   open 1 ── close 1 ── give back 1 ── open 2 ...
 */

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Waits are over at once; what happens is noted. */
const createPaper = (change: Partial<LeaderLoopDeps> = {}) => {
  const notes: string[] = []
  const journal = createJournal()
  const held: HeldLease[] = []
  const state = { isFree: true, end: (_reason: string) => {} }

  const leaseOf = (generation: number): HeldLease => {
    const lost = new AbortController()
    return {
      generation,
      lost: lost.signal,
      lose: (reason) => lost.abort(reason),
      release: async () => {
        notes.push(`give back ${generation}`)
      },
    }
  }

  const take: LeaderLoopDeps['acquire'] = async (signal, onOther) => {
    if (!state.isFree) onOther({ holder: 'other:1', generation: 9 } as LeaseView)
    while (!state.isFree && !signal.aborted) await tick()
    if (signal.aborted) return null
    const lease = leaseOf(held.length + 1)
    held.push(lease)
    return lease
  }

  const open: LeaderLoopDeps['open'] = async ({ generation }, end) => {
    notes.push(`open ${generation}`)
    state.end = end
    return success({
      close: async () => {
        notes.push(`close ${generation}`)
      },
    })
  }

  const terms = startLeaderLoop({
    migrate: async () => success(undefined),
    acquire: take,
    open,
    logger: journal.logger,
    timer: {
      // Without a signal it is the patience with work that is to end: it does.
      sleep: (_, signal) => (signal === undefined ? new Promise(() => {}) : tick().then(() => {})),
    },
    onWaiting: (text) => notes.push(text),
    ...change,
  })
  return { notes, journal, held, state, terms, take, open }
}

const until = (passes: () => boolean) => expect.poll(passes).toBe(true)

test('a term is opened under the lease, and ends before the lease is given back', async () => {
  const { notes, terms } = createPaper()
  await until(() => notes.includes('open 1'))
  await terms.stop()
  expect(notes).toEqual(['open 1', 'close 1', 'give back 1'])
})

describe('starts a new session', () => {
  test('after the lease was lost', async () => {
    const { notes, held, journal, terms } = createPaper()
    await until(() => notes.includes('open 1'))
    held[0]?.lose('another indexer acquired it')
    await until(() => notes.includes('open 2'))
    await terms.stop()
    expect(notes.slice(0, 4)).toEqual(['open 1', 'close 1', 'give back 1', 'open 2'])
    expect(journal.count('Lost the lease, stopped writing')).toBe(1)
  })

  test('after an in-doubt write', async () => {
    const { notes, state, terms } = createPaper()
    await until(() => notes.includes('open 1'))
    state.end('write in doubt')
    await until(() => notes.includes('open 2'))
    await terms.stop()
    expect(notes.slice(0, 4)).toEqual(['open 1', 'close 1', 'give back 1', 'open 2'])
  })

  test('after one that could not be opened, and after one that threw', async () => {
    let tries = 0
    const paper = createPaper({
      open: async (lease, end) => {
        tries += 1
        if (tries === 1) return failure('store db.example is away')
        if (tries === 2) throw new Error('connection refused')
        return paper.open(lease, end)
      },
    })
    await until(() => paper.notes.includes('open 3'))
    await paper.terms.stop()
    const waiting = 'Waiting for the store'
    expect(paper.notes.slice(0, 4)).toEqual(['give back 1', waiting, 'give back 2', waiting])
  })
})

test('while another is active it says so once, and stops when asked', async () => {
  const paper = createPaper({})
  await until(() => paper.notes.includes('open 1'))
  paper.state.isFree = false
  paper.held[0]?.lose('another indexer acquired it')
  await until(() => paper.notes.includes('Standby: other:1 holds the lease'))
  await paper.terms.stop()
  expect(paper.notes.filter((note) => note.startsWith('Standby'))).toHaveLength(1)
  expect(paper.journal.count('Standby: another indexer holds the lease')).toBe(1)
})

test('logs a store error once, however long it lasts', async () => {
  let tries = 0
  const { journal, terms } = createPaper({
    migrate: async () => {
      tries += 1
      return failure('store db.example cannot be reached')
    },
  })
  await until(() => tries > 5)
  await terms.stop()
  expect(journal.count('Waiting for the store')).toBe(1)
})

test('work that does not end is left behind by a stop', async () => {
  const notes: string[] = []
  const { terms } = createPaper({
    open: async () => {
      notes.push('open')
      return new Promise(() => {})
    },
    timer: { sleep: async () => void (await tick()) },
  })
  await until(() => notes.includes('open'))
  await terms.stop()
  expect(notes).toEqual(['open'])
})
