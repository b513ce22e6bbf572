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
import { createWashBots, type WashBots } from './wash-bots.ts'

export type LiveMarket = {
  readonly setTrading: (on: boolean) => void
  /** Runs the work while no transaction is sent or in flight. */
  readonly pauseDuring: (work: () => Promise<void>) => Promise<void>
  readonly status: () => LiveStatus
  /** Nothing is sent after this resolves. */
  readonly stop: () => Promise<void>
}

export type LiveStatus = TransactionCounts & { readonly trading: boolean; readonly errors: number }

export type LiveInput = {
  readonly world: World
  readonly prices: Prices
  readonly random: Random
  readonly own: OwnArtifacts
  readonly sender: TransactionSender
  /** Called after each price step. */
  readonly onPrices: () => void
  /** Called when a pool was created. */
  readonly onPools: () => void
}

type Market = LiveInput & {
  readonly bots: WashBots
  trading: boolean
  isPaused: boolean
  errors: number
}

type Job = { readonly everySeconds: number; readonly run: (market: Market) => void | Promise<void> }

const priceStepSeconds = 5
const stopMillisMax = 1_000

/** Recurring jobs; trades run in addition, at the configured rate. */
const jobs: readonly Job[] = [
  { everySeconds: priceStepSeconds, run: stepPrices },
  { everySeconds: 6, run: whileTrading(provideOnce) },
  { everySeconds: 240, run: whileTrading(launchOnce) },
  { everySeconds: 20, run: whileTrading(emitForeignSwap) },
  { everySeconds: 15, run: whileTrading(washOnce) },
  { everySeconds: 1, run: confirm },
]

/** Starts prices, feeds, traders, providers and launches. */
export function startLiveMarket(input: LiveInput): LiveMarket {
  const { settings } = input.world
  const state = { trading: settings.traders, isPaused: false, errors: 0 }
  const market: Market = { ...input, ...state, bots: createWashBots(input) }
  const stopped = new AbortController()
  const trading = { everySeconds: 1 / settings.swapsPerSecond, run: whileTrading(tradeOnce) }
  const loops = [...jobs, trading].map((job) => repeat(market, job, stopped.signal))
  return {
    setTrading: (on) => {
      market.trading = on
    },
    status: () => ({
      ...market.sender.counts(),
      trading: market.trading,
      errors: market.errors,
    }),
    pauseDuring: (work) => pauseDuring(market, work),
    stop: async () => {
      market.isPaused = true
      stopped.abort()
      await Promise.race([Promise.all(loops), sleep(stopMillisMax)])
    },
  }
}

async function repeat(market: Market, job: Job, signal: AbortSignal): Promise<void> {
  for (;;) {
    // Rejects only when aborted, which the next line checks.
    await pause(job.everySeconds * 1_000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await job.run(market)
    } catch {
      // The node is busy or stopping; its end is handled elsewhere.
      market.errors += 1
    }
  }
}

function whileTrading(run: (market: Market) => void): (market: Market) => void {
  return (market) => {
    if (market.trading && !market.isPaused) run(market)
  }
}

function stepPrices(market: Market): void {
  const { world, prices, sender, isPaused } = market
  prices.advance(priceStepSeconds)
  market.onPrices()
  if (isPaused) return
  const answers = dueFeedAnswers(world, prices, nowSeconds(), livePolicy)
  if (answers.length > 0) sender.submit(world.accounts.feedKeeper, bundleCalls(world, answers))
}

function tradeOnce({ world, prices, random, sender }: Market): void {
  sender.submit(random.pick(world.accounts.traders), drawTrade(world, prices, random).call)
}

function provideOnce({ world, prices, random, sender }: Market): void {
  const moves = drawLiquidityCalls(world, prices, random)
  if (moves.length > 0) sender.submit(world.accounts.provider, bundleCalls(world, moves))
}

function launchOnce({ world, prices, random, own, sender, onPools }: Market): void {
  // A launch must not be skipped, or the manifest would list a pool that does not exist.
  if (world.launches >= launchesMax || !sender.hasRoom()) return
  const moves = launchMeme(world, prices, own, random, nowSeconds())
  sender.submit(world.accounts.provider, bundleCalls(world, moves))
  onPools()
}

function emitForeignSwap({ world, sender }: Market): void {
  sender.submit(world.accounts.deployer, foreignSwap(world))
}

function washOnce({ bots, sender }: Market): void {
  for (const { from, call } of bots.turn()) sender.submit(from, call)
}

async function confirm({ sender, isPaused }: Market): Promise<void> {
  if (!isPaused) await sender.confirm()
}

async function pauseDuring(market: Market, work: () => Promise<void>): Promise<void> {
  market.isPaused = true
  try {
    if (!(await market.sender.drain())) throw new Error('transactions are still in flight')
    await work()
  } finally {
    market.isPaused = false
  }
}
