import { keptSeeds, type TierName } from './kept-seeds.ts'

/** How many drawn schedules a run plays: T0 in `npm test`, T1 in `npm run test:deep`. */
const counts = {
  T0: { reorg: 2000, pipeline: 200, restart: 50, kill: 10, postgres: 10, 'postgres-kill': 3 },
  T1: {
    reorg: 100_000,
    pipeline: 5000,
    restart: 500,
    kill: 100,
    postgres: 100,
    'postgres-kill': 20,
  },
} as const

const base = Number(process.env.TEST_SEED ?? 20_261_121)
const tier = process.env.TEST_TIER === 'T1' ? 'T1' : 'T0'
/** `reorg:123` plays that one seed and nothing else. */
const [wishedTier, wishedSeed] = (process.env.TEST_SIM ?? '').split(':')

/** More than this many are one fault seen again and again. */
const failuresMax = 5
const progressEveryMs = 5000

const seedsOf = (name: TierName): readonly number[] => {
  if (wishedTier === name) return [Number(wishedSeed)]
  if (wishedTier !== '') return []
  const drawn = Array.from({ length: counts[tier][name] }, (_, at) => base + at)
  return [...keptSeeds[name].map(({ seed }) => seed), ...drawn]
}

/** The line that plays a seed again. */
export const replayOf = (name: TierName, seed: number): string =>
  `TEST_SIM=${name}:${seed} npm test -- test/sim/${name}-seeds.test.ts`

/** Long work shows how far it is; a short run says nothing. */
const createProgress = (name: TierName, total: number) => {
  const startMs = performance.now()
  let shownMs = startMs
  return (done: number, failed: number): void => {
    const nowMs = performance.now()
    if (tier === 'T0' || nowMs - shownMs < progressEveryMs) return
    shownMs = nowMs
    const perSecond = (1000 * done) / (nowMs - startMs)
    const leftSeconds = Math.round((total - done) / perSecond)
    const left = `${Math.floor(leftSeconds / 60)} min ${leftSeconds % 60} s left`
    const line = `${name}: ${done} of ${total} seeds, ${failed} failed, ${perSecond.toFixed(1)}/s`
    process.stderr.write(`${line}, ${left}\n`)
  }
}

/** Plays the seeds of a tier; answers a line for each that failed, with what was broken. */
export const playSeeds = async (
  name: TierName,
  play: (seed: number) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const seeds = seedsOf(name)
  const progress = createProgress(name, seeds.length)
  const failed: string[] = []
  for (const [at, seed] of seeds.entries()) {
    const violations = await play(seed).catch((cause: unknown) => [String(cause)])
    if (violations.length > 0) failed.push(`${replayOf(name, seed)}  # ${violations.join('; ')}`)
    if (failed.length >= failuresMax) break
    progress(at + 1, failed.length)
  }
  return failed
}

/** Generous: a slow machine is no fault. */
export const timeLimitMs = tier === 'T0' ? 600_000 : 6 * 3_600_000
