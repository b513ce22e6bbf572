import type { OwnArtifacts } from '../build/compile.ts'
import type { Call } from '../chain/sender.ts'
import { createPoolCalls, planPool } from '../deploy/pools.ts'
import { fundRouter, planErc20 } from '../deploy/tokens.ts'
import type { Random } from '../random.ts'
import { launchSpec } from '../world/pool.ts'
import type { TokenSpec } from '../world/tokens.ts'
import { stockSpecs, type World } from '../world/world.ts'
import type { Prices } from './prices.ts'

/** Launches over a few hours, to show discovery; bounds the size of the sandbox. */
export const launchesMax = 60

const words = ['ALPHA', 'BASED', 'CHAD', 'DEGEN', 'FROG', 'GIGA', 'HYPE', 'PUMP', 'SEND', 'YOLO']
const fees = [3_000, 10_000, 25_000]

/** Creates a meme token and its v4 pool against a stock, as launchpads do. */
export function launchMeme(
  world: World,
  prices: Prices,
  own: OwnArtifacts,
  random: Random,
  now: number,
): Call[] {
  world.launches += 1
  const word = random.pick(words)
  const spec: TokenSpec = {
    key: `launch-${world.launches}`,
    role: 'meme',
    symbol: `${word}${world.launches}`,
    name: `${word} number ${world.launches}`,
    decimals: random.pick([6, 9, 18]),
    usd: 10 ** random.between(-6, 0),
    dayVolatility: 0.8,
  }
  const made = planErc20(own, spec)
  const token = { spec, address: made.address }
  world.tokens[spec.key] = token
  prices.add(spec)
  const stock = random.pick(stockSpecs(world))
  const depthUsd = Math.round(random.between(2_000, 20_000))
  const pool = planPool(world, launchSpec(spec.key, stock.key, random.pick(fees), depthUsd))
  const calls = [
    made.call,
    ...fundRouter(world.contracts, token),
    ...createPoolCalls(world, prices, pool, now),
  ]
  world.pools.push(pool)
  return calls
}
