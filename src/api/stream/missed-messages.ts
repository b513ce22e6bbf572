import type { Market } from '../../market/market.ts'
import { comparePlaces, type StreamPosition } from '../../market/stream-position.ts'
import { formatEventId, storeRun } from './event-id.ts'
import { encodeMessage, type Message } from './messages.ts'

/** What subscribers that have joined have received: the newest message and where it leads. */
export type Published = {
  readonly sequence: number
  readonly position: StreamPosition | null
}

/** One step of a replay from the store. */
type Step = {
  readonly kind: 'step'
  readonly messages: readonly Message[]
  /** Behind the step. */
  readonly position: StreamPosition
  /** For the last step: the message after which it is complete. */
  readonly sequence: number | null
}

export type MissedMessages = Step | { readonly kind: 'early' } | { readonly kind: 'lost' }

type CachedStep = { readonly from: StreamPosition; readonly step: Step }

/** A step is at most a few hundred kilobytes. */
const stepsMax = 8

const isSamePosition = (a: StreamPosition, b: StreamPosition): boolean =>
  a.epoch === b.epoch &&
  a.listing === b.listing &&
  a.tip.block === b.tip.block &&
  a.tip.hashEnd === b.tip.hashEnd &&
  comparePlaces(a.place, b.place) === 0

const isWithin = ({ from, step }: CachedStep, { epoch, place }: StreamPosition): boolean =>
  from.epoch === epoch &&
  step.position.epoch === epoch &&
  comparePlaces(from.place, place) <= 0 &&
  comparePlaces(place, step.position.place) < 0

/** The rest of a step for a subscriber that has received a part of it. */
const behind = (step: Step, { place }: StreamPosition): Step => ({
  ...step,
  messages: step.messages.filter(
    ({ topic, position }) =>
      topic !== 'swap' || position === null || comparePlaces(position.place, place) > 0,
  ),
})

/**
 * Reads what subscribers missed, one step of one of them at a time, and keeps the latest steps: a
 * thousand that return at once after a restart share them. `isReplayable`: the messages after this
 * one are in memory.
 */
export const createMissedMessages = ({
  readMissed,
  published,
  isReplayable,
}: {
  readonly readMissed: Market['missedChanges']
  readonly published: () => Published
  readonly isReplayable: (sequence: number) => boolean
}): ((from: StreamPosition) => Promise<MissedMessages>) => {
  let cache: readonly CachedStep[] = []
  /** Positions behind steps, whose branch is known to be the store's. */
  const reached = new WeakSet<StreamPosition>()
  let queue: Promise<unknown> = Promise.resolve()

  const isUsable = ({ step }: CachedStep): boolean =>
    step.sequence === null || isReplayable(step.sequence)

  const findStep = (from: StreamPosition): Step | null => {
    const usable = cache.filter(isUsable)
    const same = usable.find((cached) => isSamePosition(cached.from, from))
    if (same !== undefined) return same.step
    const around = reached.has(from) ? usable.find((cached) => isWithin(cached, from)) : undefined
    return around === undefined ? null : behind(around.step, from)
  }

  const keepStep = (from: StreamPosition, step: Step): void => {
    const others = cache.filter(({ step: { sequence } }) => sequence === null)
    cache = [...(step.sequence === null ? cache : others), { from, step }].slice(-stepsMax)
    reached.add(step.position)
  }

  const readStep = async (from: StreamPosition): Promise<MissedMessages> => {
    const known = findStep(from)
    if (known !== null) return known
    const { sequence, position: upTo } = published()
    if (upTo === null) return { kind: 'lost' }
    const missed = await readMissed(from, upTo)
    if (missed.kind !== 'changes') return missed
    const { events, position } = missed
    const messages = events.map((event) => {
      const at = event.position ?? position
      const id = formatEventId({ run: storeRun, sequence: 0, position: at })
      return encodeMessage(event, { sequence: 0, position: at, id })
    })
    const step = { kind: 'step', messages, position } as const
    const whole = { ...step, sequence: position === upTo ? sequence : null }
    keepStep(from, whole)
    return whole
  }

  return (from) => {
    // A store that cannot be read now is asked again after the next publication.
    const step = queue.then(() => readStep(from)).catch((): MissedMessages => ({ kind: 'early' }))
    queue = step
    return step
  }
}
