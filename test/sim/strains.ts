import type { RawLog } from '../support/domain/sample-chain.ts'
import { logOf, sender, v3SwapDeclaration } from '../support/domain/sample-pool.ts'
import { createRandom, type Random } from './random.ts'
import type { NodeManners } from './sim-node.ts'
import type { SimUrl } from './sim-outbound.ts'

/*
 * Faults of answers that look like answers: logs cut without an error, and refusals in place of
 * what a contract says.
 */

/**
 * Their draws are their own, so that the others of a seed stay what they were. With this offset no
 * kept seed has them.
 */
const streamOffset = 1_814_051_031

/** Between the limits of providers and what a schedule can afford. */
const cutSizes = [100, 120, 128, 150, 200, 256]

/** Far fewer than any cut size: the logs of one block cannot be read in parts. */
const crowdMax = 30

const refusals = [
  { code: -32_603, message: 'Internal error' },
  { code: -32_603, message: 'internal error: database is closed' },
  { code: -32_000, message: 'insufficient gas limit' },
  { code: -32_000, message: 'upstream connect error or disconnect/reset before headers' },
  { code: -32_601, message: 'the method eth_call is not available' },
] as const

const strangeSwap = logOf(`0x${'5a'.repeat(20)}`, v3SwapDeclaration, {
  ...{ sender, recipient: sender, amount0: 1n, amount1: -1n },
  ...{ sqrtPriceX96: 1n << 96n, liquidity: 1n, tick: 0 },
})

export type Strains = {
  readonly isCutting: boolean
  /** Swaps of pools that the index does not follow, for one block. */
  readonly crowd: () => readonly RawLog[]
  /** What lasts: one address cuts its answers, all of its nodes at the same size. */
  readonly natureOf: (url: number) => Partial<NodeManners>
  /** What passes: one address begins or ceases to refuse contract calls. */
  readonly refuse: (urls: readonly SimUrl[]) => void
}

const drawRefusal = (random: Random): NodeManners['refusal'] =>
  random.percent(30) ? null : { ...random.pick(refusals), every: random.pick([1, 2, 3, 5, 7]) }

export const drawStrains = (seed: number, isLying: boolean): Strains => {
  const random = createRandom(seed + streamOffset)
  const isCutting = random.percent(15) && !isLying
  const isRefusing = random.percent(20)
  const cutAt = random.pick(cutSizes)
  return {
    isCutting,
    crowd: () => (isCutting ? new Array(random.between(5, crowdMax)).fill(strangeSwap) : []),
    natureOf: (url) => (isCutting && url === 0 ? { cutAt } : {}),
    refuse: (urls) => {
      if (!isRefusing || random.percent(50)) return
      const refusal = drawRefusal(random)
      for (const { manners } of random.pick(urls).nodes) manners.refusal = refusal
    },
  }
}
