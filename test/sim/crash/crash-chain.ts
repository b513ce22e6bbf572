import type { Address, Hex } from '../../../src/domain/units.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import type { RawLog } from '../../support/domain/sample-chain.ts'
import type { PoolStep } from '../../support/domain/sample-history.ts'
import { logOf } from '../../support/domain/sample-pool.ts'
import { createRandom } from '../random.ts'
import { createSimChain, firstTs, type SimStep } from '../sim-chain.ts'
import { createContracts } from '../sim-contracts.ts'
import { feedOf, prices } from './crash-network.ts'

const aggregatorOf = (token: Address): Address => `0x${'b'.repeat(20)}${token.slice(2, 22)}`

const answerUpdated =
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)'

const priceLogs = (ts: number): readonly RawLog[] =>
  [...prices].map(([token, usd]) => {
    const updatedAt = BigInt(ts)
    const args = { current: BigInt(usd) * 10n ** 8n, roundId: updatedAt, updatedAt }
    return logOf(aggregatorOf(token), answerUpdated, args)
  })

const word = (value: bigint): CallResult => ({
  ok: true,
  data: `0x${value.toString(16).padStart(64, '0')}`,
})

/** A feed's metadata; undefined if no feed has this address. */
const answerOfFeed = (to: Address, data: Hex): CallResult | undefined => {
  const token = [...prices.keys()].find((each) => feedOf(each) === to)
  if (token === undefined) return undefined
  return data === '0x313ce567' ? word(8n) : word(BigInt(aggregatorOf(token)))
}

/** liquidity() of a v3 pool. */
const liquidityCall = '0x1a686502'

/** A chain with six pools of every kind, driven by the seed, with their contracts. */
export const createCrashChain = (seed: number) => {
  const chain = createSimChain()
  const random = createRandom(seed)
  let isLying = false

  const act = (): PoolStep => {
    const pool = random.between(0, 5)
    const kind = random.weighted({ swap: 6, mint: 3, burn: 1 })
    if (kind === 'swap') return { kind, pool, percent: random.between(60, 160) }
    if (kind === 'burn') return { kind, pool }
    const from = random.between(-80, 60)
    const liquidity = BigInt(random.between(1, 1_000_000)) * 10n ** 14n
    return { kind, pool, from, steps: random.between(1, 80), liquidity }
  }

  const step = (seconds: number, actsMax: number): SimStep => {
    const acts = Array.from({ length: random.between(0, actsMax) }, act)
    const ts = chain.blocks().length === 0 ? 0 : chain.headBlock().anchor.ts
    return { acts, seconds, foreign: priceLogs(ts + seconds) }
  }

  const contracts = createContracts((to, data) =>
    isLying && data === liquidityCall ? word(7n) : answerOfFeed(to, data),
  )

  // Prices come first, so that every swap has one.
  chain.grow({ acts: [], seconds: 0, foreign: priceLogs(firstTs) })

  return {
    chain,
    random,
    /** Blocks of up to `secondsMax` each; times may stand still. */
    grow: (blocks: number, secondsMax: number, actsMax = 4): void => {
      for (let count = 0; count < blocks; count++) {
        chain.grow(step(random.between(0, secondsMax), actsMax))
      }
    },
    contracts,
    /** Makes contracts return a wrong liquidity. */
    lie: (isOn: boolean): void => {
      isLying = isOn
    },
    isLying: () => isLying,
  }
}

export type CrashChain = ReturnType<typeof createCrashChain>
