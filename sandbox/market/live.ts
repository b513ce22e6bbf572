import { setTimeout as pause } from 'node:timers/promises'
import type { OwnArtifacts } from '../build/compile.ts'
import { nowSeconds, sleep } from '../clock.ts'
import type { Random } from '../random.ts'
import type { World } from '../world/world.ts'
import { bundleCalls } from './calls.ts'
import { dueFeedAnswers, livePolicy } from './feeds.ts'
import { launchesMax, launchMeme } from './launch.ts'
import { drawLiquidityCalls } from './liquidity.ts'
import { foreignSwap } from './past.ts'
import type { Prices } from './prices.ts'
import { drawTrade } from './trades.ts'
import type { TransactionCounts, TransactionSender } from './transaction-sender.ts'

export type LiveMarket = {
  readonly setTrading: (on: boolean) => void
  /** Runs the work while nobody sends anything and nothing is on its way. */
  readonly pauseDuring: (work: () => Promise<void>) => Promise<void>
  readonly status: () => LiveStatus
  /** Sends nothing any more once this has settled. */
  readonly stop: () => Promise<void>
}

export type LiveStatus = TransactionCounts & { readonly trading: boolean; readonly errors: number }

export type LiveInput = {
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly own: OwnArtifacts
  readonly outbox: TransactionSender
  /** Called after each step of the prices. */
  readonly onPrices: () => void
  /** Called when a pool was born. */
  readonly onPools: () => void
}

type Market = LiveInput & {
  trading: boolean
  resting: boolean
  errors: number
}

type Job = { readonly everySeconds: number; readonly run: (market: Market) => void | Promise<void> }

const priceStepSeconds = 5
const stopMillisMax = 1_000

/** Everything that keeps happening, and how often; trades come on top, at the settings' rate. */
const jobs: readonly Job[] = [
  { everySeconds: priceStepSeconds, run: stepPrices },
  { everySeconds: 6, run: whileTrading(provideOnce) },
  { everySeconds: 240, run: whileTrading(launchOnce) },
  { everySeconds: 20, run: whileTrading(pretendOnce) },
  { everySeconds: 1, run: confirm },
]

/** Sets the market going: prices, feeds, traders, providers and launches. */
export function startLiveMarket(input: LiveInput): LiveMarket {
  const { settings } = input.world
  const state = { trading: settings.traders, resting: false, errors: 0 }
  const market: Market = { ...input, ...state }
  const stopped = new AbortController()
  const trading = { everySeconds: 1 / settings.swapsPerSecond, run: whileTrading(tradeOnce) }
  const loops = [...jobs, trading].map((job) => repeat(market, job, stopped.signal))
  return {
    setTrading: (on) => {
      market.trading = on
    },
    status: () => ({
      ...market.outbox.counts(),
      trading: market.trading,
      errors: market.errors,
    }),
    pauseDuring: (work) => rest(market, work),
    stop: async () => {
      market.resting = true
      stopped.abort()
      await Promise.race([Promise.all(loops), sleep(stopMillisMax)])
    },
  }
}

async function repeat(market: Market, job: Job, signal: AbortSignal): Promise<void> {
  for (;;) {
    // Rejects only when aborted, which the next line looks at.
    await pause(job.everySeconds * 1_000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await job.run(market)
    } catch {
      // A node that is busy or going down: its end is noticed elsewhere.
      market.errors += 1
    }
  }
}

function whileTrading(run: (market: Market) => void): (market: Market) => void {
  return (market) => {
    if (market.trading && !market.resting) run(market)
  }
}

function stepPrices(market: Market): void {
  const { world, prices, outbox, resting } = market
  prices.advance(priceStepSeconds)
  market.onPrices()
  if (resting) return
  const answers = dueFeedAnswers(world, prices, nowSeconds(), livePolicy)
  if (answers.length > 0) outbox.submit(world.accounts.feedKeeper, bundleCalls(world, answers))
}

function tradeOnce({ world, prices, random, outbox }: Market): void {
  outbox.submit(random.pick(world.accounts.traders), drawTrade(world, prices, random))
}

function provideOnce({ world, prices, random, outbox }: Market): void {
  const moves = drawLiquidityCalls(world, prices, random)
  if (moves.length > 0) outbox.submit(world.accounts.provider, bundleCalls(world, moves))
}

function launchOnce({ world, prices, random, own, outbox, onPools }: Market): void {
  // A pool that was written down and never made would be missed by everybody.
  if (world.launches >= launchesMax || !outbox.hasRoom()) return
  const moves = launchMeme(world, prices, own, random, nowSeconds())
  outbox.submit(world.accounts.provider, bundleCalls(world, moves))
  onPools()
}

function pretendOnce({ world, outbox }: Market): void {
  outbox.submit(world.accounts.deployer, foreignSwap(world))
}

async function confirm({ outbox, resting }: Market): Promise<void> {
  if (!resting) await outbox.confirm()
}

async function rest(market: Market, work: () => Promise<void>): Promise<void> {
  market.resting = true
  try {
    if (!(await market.outbox.drain())) throw new Error('transactions are still on their way')
    await work()
  } finally {
    market.resting = false
  }
}
