import fc from 'fast-check'
import { expect, test } from 'vitest'
import { followSwaps, type SwapSources } from './follow-swaps.ts'
import type { StreamEvent, Swap, SwapStep } from './types.ts'

/*
 * A drawn chain under a follower: blocks are added, replaced and settled while it reads the stored
 * swaps in pages and the stream's events in order. `lose` drops the stream's next events and sends
 * one `resync` in their place, as the service does.
 */

type Action =
  | { readonly kind: 'add'; readonly swaps: number }
  | { readonly kind: 'replace'; readonly depth: number; readonly swaps: number }
  | { readonly kind: 'settle'; readonly depth: number }
  | { readonly kind: 'lose'; readonly actions: number }

const pageRows = 3

const createChain = () => {
  let swaps: readonly Swap[] = []
  let head = 0
  let settledBlock = -1
  let hashes = 0
  let lost = 0
  const queued: StreamEvent[] = []
  let wake = (): void => {}

  const send = (event: { topic: string; data: unknown }): void => {
    if (lost > 0) return
    queued.push({ ...event, id: '' } as StreamEvent)
    wake()
  }

  const addBlock = (count: number): void => {
    head += 1
    for (let logIndex = 0; logIndex < count; logIndex++) {
      hashes += 1
      const txHash = `0x${hashes}`
      const swap = { block: head, ts: Math.floor(head / 3), logIndex, txHash } as unknown as Swap
      swaps = [...swaps, swap]
      send({ topic: 'swap', data: swap })
    }
  }

  const run = (action: Action): void => {
    if (action.kind === 'lose') {
      lost = action.actions
      return
    }
    if (action.kind === 'settle') settledBlock = Math.max(settledBlock, head - action.depth)
    if (action.kind === 'replace') {
      head = Math.max(settledBlock, head - action.depth, 0)
      swaps = swaps.filter(({ block }) => block <= head)
      send({ topic: 'rollback', data: { afterBlock: head === 0 ? null : head, ts: 0 } })
    }
    if (action.kind !== 'settle') addBlock(action.swaps)
    if (lost > 0) {
      lost -= 1
      if (lost === 0) send({ topic: 'resync', data: { reason: 'events_missed' } })
    }
  }

  const withState = (swap: Swap): Swap => ({ ...swap, settled: swap.block <= settledBlock })

  async function* open(onJoin: () => void): AsyncGenerator<StreamEvent, void, undefined> {
    queued.length = 0
    onJoin()
    for (;;) {
      for (let event = queued.shift(); event !== undefined; event = queued.shift()) yield event
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  async function* readSince(from: number): AsyncGenerator<Swap, void, undefined> {
    let last: Swap | null = null
    for (;;) {
      await new Promise(setImmediate)
      const rows = swaps.filter(({ ts }) => ts >= from)
      const at = last === null ? -1 : rows.findIndex(({ txHash }) => txHash === last?.txHash)
      if (last !== null && at === -1) {
        const error = new Error('replaced')
        throw Object.assign(error, { name: 'StockpoolsApiError', code: 'cursor_replaced' })
      }
      const page = rows.slice(at + 1, at + 1 + pageRows)
      yield* page.map(withState)
      last = page.at(-1) ?? last
      if (at + 1 + pageRows >= rows.length) return
    }
  }

  const sources: SwapSources = {
    readStart: async () => 0,
    open,
    readSince,
    readSettledBlock: async () => settledBlock,
  }
  return { run, sources, swaps: () => swaps, isRead: () => queued.length === 0 && lost === 0 }
}

const hold = (held: readonly Swap[], step: SwapStep): readonly Swap[] => {
  if (step.topic === 'swap') return [...held, step.data as Swap]
  const { afterBlock } = step.data
  return held.filter(({ block }) => afterBlock !== null && block <= afterBlock)
}

const count = fc.integer({ min: 0, max: 4 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), swaps: count }) },
  fc.record({ kind: fc.constant('replace' as const), depth: count, swaps: count }),
  fc.record({ kind: fc.constant('settle' as const), depth: count }),
  fc.record({ kind: fc.constant('lose' as const), actions: fc.integer({ min: 1, max: 3 }) }),
)

const hashesOf = (swaps: readonly Swap[]): readonly string[] => swaps.map(({ txHash }) => txHash)

test('who follows holds exactly the swaps of the chain, in order', async () => {
  const steps = fc.array(fc.tuple(action, fc.integer({ min: 0, max: 2 })), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 10 }), steps, async (before, later) => {
      const chain = createChain()
      for (const early of before) chain.run(early)
      let held: readonly Swap[] = []
      let stepsRead = 0
      const follow = followSwaps(chain.sources)
      const reading = (async () => {
        for await (const step of follow) {
          held = hold(held, step)
          stepsRead += 1
        }
      })()
      reading.catch(() => {})
      for (const [next, turns] of later) {
        chain.run(next)
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      }
      // Ends what is lost at present, so that the follower hears of it.
      for (let turn = 0; turn < 3; turn++) chain.run({ kind: 'add', swaps: 1 })
      for (let quiet = 0, seen = -1; quiet < 20; quiet++) {
        if (seen !== stepsRead || !chain.isRead()) quiet = 0
        seen = stepsRead
        await new Promise(setImmediate)
      }
      expect(hashesOf(held)).toEqual(hashesOf(chain.swaps()))
    }),
    { numRuns: 300 },
  )
})
