import { createRandom, type Random } from '../../test/sim/random.ts'
import {
  type Disturbance,
  disturbances,
  type ErrorKind,
  errorKinds,
  type NodeBehavior,
  type RateKind,
  rateKinds,
} from './node-behavior.ts'

/** A fault of a whole response. */
export type InjectedFault = ErrorKind | RateKind

/** Deals each kind once before repeating any. */
const createDeck = <Kind>(kinds: readonly Kind[], random: Random) => {
  let remaining: readonly Kind[] = []
  return (): Kind => {
    if (remaining.length === 0) remaining = kinds
    const dealt = random.pick(remaining)
    remaining = remaining.filter((kind) => kind !== dealt)
    return dealt
  }
}

/** Chooses the next fault. */
export const createFaultInjector = (seed: number) => {
  const random = createRandom(seed)
  const error = createDeck(errorKinds, random)
  const rate = createDeck(rateKinds, random)
  const disturbance = createDeck(disturbances, random)
  return {
    random,
    /** The fault of the next response; null for none. */
    next: ({ errorPercent, ratePercent }: NodeBehavior): InjectedFault | null => {
      if (random.percent(ratePercent)) return rate()
      return random.percent(errorPercent) ? error() : null
    },
    /** The disturbance of the next log response; null for none. */
    nextDisturbance: ({ disturbPercent }: NodeBehavior): Disturbance | null =>
      random.percent(disturbPercent) ? disturbance() : null,
    omitsLog: ({ forgetPercent }: NodeBehavior): boolean => random.percent(forgetPercent),
  }
}

type LogText = Readonly<Record<string, unknown>> & { readonly blockHash: string }

/** The same logs, duplicated, reordered or with one of a replaced block. */
export const disturbLogs = (
  kind: Disturbance,
  logs: readonly unknown[],
  random: Random,
): readonly unknown[] => {
  const picked = random.pick(logs) as LogText | undefined
  if (picked === undefined) return logs
  if (kind === 'duplicated') return [...logs, picked]
  if (kind === 'shuffled') return logs.toReversed()
  const replaced = { ...picked, blockHash: `0xdead${picked.blockHash.slice(6)}`, removed: true }
  return kind === 'removed' ? [replaced, ...logs] : logs
}

/** The logs without one of them. */
export const dropOneLog = (logs: readonly unknown[], random: Random): readonly unknown[] =>
  logs.toSpliced(random.between(0, Math.max(0, logs.length - 1)), 1)
