/** A target for the figure itself or for its ratio to the limit. */
export type Goal = {
  readonly kind: 'at-least' | 'at-most'
  readonly of: 'value' | 'ratio'
  readonly bound: number
}

/** The machine's upper limit, measured in the same round. */
export type Limit = { readonly what: string; readonly value: number }

/** Cost of a measurement; null where it cannot be separated from other work. */
export type Cost = {
  readonly wallSeconds: number | null
  readonly cpuSeconds: number | null
  readonly peakMb: number | null
}

export const costUnknown: Cost = { wallSeconds: null, cpuSeconds: null, peakMb: null }

/** One figure of one round, reported only after its result was verified. */
export type Sample = {
  /** Row of the table in docs/performance.md. */
  readonly row: number
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly limit: Limit | null
  /** Null for figures that serve only as a comparison. */
  readonly goal: Goal | null
  readonly cost: Cost
  readonly remark: string | null
}

/** How steady the machine was during a group's rounds. */
export type Noise = {
  /** Duration of one fixed loop, before and after each round. */
  readonly loopsMs: readonly number[]
  /** Slowest loop divided by the fastest, minus one. */
  readonly spread: number
  /** Share of the loops' time in which other processes had the processor. */
  readonly waited: number
}

/** The median of a sample over the rounds. */
export type Figure = Omit<Sample, 'limit'> & {
  readonly limit: Limit | null
  readonly ratio: number | null
  /** Null without a goal. */
  readonly reached: boolean | null
  readonly rounds: number
  /** Largest distance between two rounds, as a share of the median. */
  readonly spread: number
  readonly noise: Noise
}

/** What could not be measured, and why. */
export type Omission = { readonly row: number; readonly what: string; readonly reason: string }

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [below, above] = [(sorted.length - 1) >> 1, sorted.length >> 1]
  return ((sorted[below] ?? Number.NaN) + (sorted[above] ?? Number.NaN)) / 2
}

const medianOrNull = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}

const ratioOf = ({ value, limit }: Sample): number | null =>
  limit === null ? null : value / limit.value

const isReached = (goal: Goal, figures: Readonly<Record<Goal['of'], number | null>>): boolean => {
  const value = figures[goal.of] ?? Number.NaN
  return goal.kind === 'at-least' ? value >= goal.bound : value <= goal.bound
}

const figureOf = (samples: readonly Sample[], noise: Noise): Figure => {
  const [first] = samples as readonly [Sample, ...Sample[]]
  const values = samples.map(({ value }) => value)
  const value = median(values)
  const ratio = medianOrNull(samples.map(ratioOf))
  const limits = samples.map(({ limit }) => limit?.value ?? null)
  const costs = samples.map(({ cost }) => cost)
  return {
    ...first,
    value,
    limit: first.limit && { ...first.limit, value: medianOrNull(limits) ?? Number.NaN },
    ratio,
    reached: first.goal === null ? null : isReached(first.goal, { value, ratio }),
    cost: {
      wallSeconds: medianOrNull(costs.map(({ wallSeconds }) => wallSeconds)),
      cpuSeconds: medianOrNull(costs.map(({ cpuSeconds }) => cpuSeconds)),
      peakMb: medianOrNull(costs.map(({ peakMb }) => peakMb)),
    },
    remark: samples.map(({ remark }) => remark).find((remark) => remark !== null) ?? null,
    rounds: samples.length,
    spread: value === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / value,
    noise,
  }
}

export const figureName = ({
  row,
  what,
}: {
  readonly row: number
  readonly what: string
}): string => `${row} ${what}`

/** Combines the samples of all rounds, in the order of their first appearance. */
export const toFigures = (samples: readonly Sample[], noise: Noise): readonly Figure[] =>
  [...Map.groupBy(samples, figureName).values()].map((same) => figureOf(same, noise))
