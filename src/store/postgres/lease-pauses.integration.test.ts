import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import {
  createManualClock,
  type ManualClock,
  type ManualLeaseTimer,
} from '../../../test/support/store/hand-clock.ts'
import { unlimited } from '../../../test/support/store/patience.ts'
import type { Store } from '../../ports/store.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { createLease, type HeldLease } from './lease.ts'
import { createPostgresStore, migratePostgres } from './postgres-store.ts'
import { isLeaseLostError } from './write-errors.ts'

/*
 * Two indexers on one database, each suspended at drawn moments for drawn times. One that
 * wakes writes at once, before it has looked at the lease:
 *
 *   a  ██████ suspended ............... writes ✗
 *   b  ............... takes ██ suspended .............. writes ✓
 */

type Step =
  | { readonly kind: 'suspend' | 'resume' | 'write'; readonly who: number }
  | { readonly kind: 'wait'; readonly ms: number }

const who = fc.nat({ max: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('suspend' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 12_000 }) }),
  },
)

const postgres = await startPostgres()
let url = ''
let clock: ManualClock
/** Of all holders, by generation. */
const holders = new Map<number, string>()

beforeAll(async () => {
  url = await postgres.createDatabase()
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) throw new Error(migrated.fault)
  clock = await createManualClock(url)
  const store = await openStore(null)
  await store.claim({ chainId: 1, network: 'sample', originHash: null }, 1)
  await store.close()
})

afterAll(async () => {
  await clock.close()
  await postgres.dispose()
})

const openStore = async (leaseGeneration: number | null): Promise<Store> => {
  const store = await createPostgresStore({ url, leaseGeneration, limits: unlimited })
  if (!store.ok) throw new Error(store.fault)
  return store.value
}

/** A timer that stands still while its process is suspended. */
const createGate = (timer: ManualLeaseTimer) => {
  let open: (() => void) | null = null
  let passing: Promise<void> = Promise.resolve()
  return {
    timer: {
      sleep: async (ms: number, signal?: AbortSignal): Promise<void> => {
        await timer.sleep(ms, signal)
        await passing
      },
    },
    isSuspended: () => open !== null,
    suspend: () => {
      if (open === null) passing = new Promise((resolve) => (open = resolve))
    },
    resume: () => {
      open?.()
      open = null
    },
    isQuiet: () => open !== null || timer.isSleeping(),
  }
}

const startIndexer = (name: string) => {
  const gate = createGate(clock.timer())
  const lease = createLease({ url, holder: name, timer: gate.timer })
  const stopping = new AbortController()
  let held: HeldLease | null = null
  let store: Promise<Store> | null = null
  const endSession = async (): Promise<void> => {
    held = null
    const closing = store
    store = null
    await closing?.then((each) => each.close())
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      held = await lease.acquire(stopping.signal, () => {})
      if (held === null) return
      holders.set(held.generation, name)
      await untilAborted(AbortSignal.any([held.lost, stopping.signal]))
      if (held.lost.aborted) await endSession()
    }
  }
  const running = run()
  return {
    ...gate,
    held: () => held,
    write: async (block: number): Promise<boolean | null> => {
      const current = held
      if (current === null) return null
      store ??= openStore(current.generation)
      const hash = `0x${'a'.repeat(64)}` as const
      try {
        await (await store).recordHead({ block, hash, ts: 1_800_000_000 })
        return true
      } catch (error) {
        if (!isLeaseLostError(error)) throw error
        current.lose('another indexer took over the lease')
        return false
      }
    },
    stop: async () => {
      gate.resume()
      stopping.abort()
      await held?.release()
      await running
      await endSession()
      lease.close()
    },
  }
}

type Indexer = ReturnType<typeof startIndexer>

const readGeneration = async (): Promise<number> => {
  const [row] = await queryAt(url, 'SELECT generation::int FROM lease')
  return Number(row?.generation ?? 0)
}

/** Lets every process that is not suspended finish what it does. */
const settle = async (indexers: readonly Indexer[]): Promise<void> => {
  await pause(5)
  while (!indexers.every(({ isQuiet }) => isQuiet())) await pause(2)
}

let block = 0

const play = async (steps: readonly Step[]): Promise<void> => {
  const indexers = [startIndexer('a'), startIndexer('b')]
  const at = (index: number): Indexer => indexers[index] as Indexer
  try {
    await settle(indexers)
    for (const next of steps) {
      if (next.kind === 'wait') {
        await clock.advance(next.ms)
        await settle(indexers)
        await clock.advance(0)
        await settle(indexers)
        const generation = await readGeneration()
        // Each that is awake holds the store's generation, or knows that it does not.
        for (const each of indexers.filter(({ isSuspended }) => !isSuspended())) {
          expect(each.held()?.generation ?? generation).toBe(generation)
        }
      } else if (next.kind === 'write') {
        const generation = await readGeneration()
        const own = at(next.who).held()?.generation
        block += 1
        const isWritten = await at(next.who).write(block)
        expect(isWritten).toBe(own === undefined ? null : own === generation)
      } else at(next.who)[next.kind]()
    }
  } finally {
    await Promise.all(indexers.map(({ stop }) => stop()))
    await settle([])
  }
}

test('at drawn suspensions only the holder of the stored generation writes', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), play), {
    numRuns: process.env.TEST_TIER === 'T1' ? 200 : 12,
    endOnFailure: true,
  })
  expect([...holders.keys()]).toEqual(Array.from({ length: holders.size }, (_, at) => at + 1))
})

test('a single indexer keeps its generation through any suspensions', async () => {
  const alone = fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(alone, async (pauses) => {
      const indexer = startIndexer('alone')
      try {
        await settle([indexer])
        const generation = indexer.held()?.generation
        for (const ms of pauses) {
          indexer.suspend()
          await clock.advance(ms)
          indexer.resume()
          await clock.advance(0)
          await settle([indexer])
          block += 1
          expect(await indexer.write(block)).toBe(true)
          expect(await readGeneration()).toBe(generation)
        }
      } finally {
        await indexer.stop()
      }
    }),
    { numRuns: 5 },
  )
})
