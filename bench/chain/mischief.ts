import { createRandom, type Random } from '../../test/sim/random.ts'
import {
  type Disturbance,
  disturbances,
  type ErrorKind,
  errorKinds,
  type Manners,
  type RateKind,
  rateKinds,
} from './manners.ts'

/** What becomes of a whole answer. */
export type Mischief = ErrorKind | RateKind

/** Deals each kind once before any comes again. */
const createDeck = <Kind>(kinds: readonly Kind[], random: Random) => {
  let cards: readonly Kind[] = []
  return (): Kind => {
    if (cards.length === 0) cards = kinds
    const dealt = random.pick(cards)
    cards = cards.filter((each) => each !== dealt)
    return dealt
  }
}

/** Decides what goes wrong next. */
export const createMischief = (seed: number) => {
  const random = createRandom(seed)
  const error = createDeck(errorKinds, random)
  const rate = createDeck(rateKinds, random)
  const disturbance = createDeck(disturbances, random)
  return {
    random,
    /** With a request. */
    next: ({ errorPercent, ratePercent }: Manners): Mischief | null => {
      if (random.percent(ratePercent)) return rate()
      return random.percent(errorPercent) ? error() : null
    },
    /** With the logs of an answer. */
    disturbs: ({ disturbPercent }: Manners): Disturbance | null =>
      random.percent(disturbPercent) ? disturbance() : null,
    forgets: ({ forgetPercent }: Manners): boolean => random.percent(forgetPercent),
  }
}

type LogText = Readonly<Record<string, unknown>> & { readonly blockHash: string }

/** The same logs as a node tells them that is confused, but not mistaken. */
export const disturbed = (
  kind: Disturbance,
  logs: readonly unknown[],
  random: Random,
): readonly unknown[] => {
  const some = random.pick(logs) as LogText | undefined
  if (some === undefined) return logs
  if (kind === 'duplicated') return [...logs, some]
  if (kind === 'shuffled') return logs.toReversed()
  const left = { ...some, blockHash: `0xdead${some.blockHash.slice(6)}`, removed: true }
  return kind === 'removed' ? [left, ...logs] : logs
}

/** Without one of them. */
export const forgetful = (logs: readonly unknown[], random: Random): readonly unknown[] =>
  logs.toSpliced(random.between(0, Math.max(0, logs.length - 1)), 1)
