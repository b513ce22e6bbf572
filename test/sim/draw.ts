import type { PoolStep } from '../support/domain/sample-history.ts'
import type { Random } from './random.ts'
import type { SimStep } from './sim-chain.ts'

const poolsMax = 6

export const drawAct = (random: Random): PoolStep => {
  const pool = random.between(0, poolsMax - 1)
  const kind = random.weighted({ swap: 6, mint: 3, burn: 1 })
  if (kind === 'swap') return { kind, pool, percent: random.between(60, 160) }
  if (kind === 'burn') return { kind, pool }
  return {
    kind,
    pool,
    from: random.between(-80, 60),
    steps: random.between(1, 80),
    liquidity: 10n ** BigInt(random.between(12, 19)),
  }
}

/** Blocks come after 0.1 to 12 s; some with a longer silence, across minutes, hours and days. */
const drawSeconds = (random: Random): number => {
  const pace = random.weighted({ fast: 50, slow: 40, hour: 7, day: 3 })
  if (pace === 'fast') return random.between(1, 10) / 10
  if (pace === 'slow') return random.between(1, 12)
  return pace === 'hour' ? random.between(60, 4000) : random.between(40_000, 100_000)
}

export type Pace = (random: Random) => number

/** One block: most hold nothing of ours. */
export const drawStep = (random: Random, secondsOf: Pace = drawSeconds): SimStep => {
  const seconds = secondsOf(random)
  const count = random.weighted({ none: 55, one: 25, two: 12, many: 8 })
  const acts = { none: 0, one: 1, two: 2, many: 5 }[count]
  return { seconds, acts: Array.from({ length: acts }, () => drawAct(random)) }
}

/** As deep as real chains go back: a few blocks, and once in a long while very many. */
export const drawDepth = (random: Random): number =>
  random.percent(2) ? 200 : random.between(1, 8)
