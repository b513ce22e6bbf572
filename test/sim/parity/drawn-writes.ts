import { quotePublishers } from '../../../src/domain/price/quote.ts'
import { known, unknown } from '../../../src/domain/reading.ts'
import { searchKinds } from '../../../src/domain/status/pool-search.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { BranchReplacement, RangeBatch } from '../../../src/ports/store-batches.ts'
import { addressOf, batchOf, day, passAt, quoteOf, stockOf } from '../../store-contract/fixtures.ts'
import type { Random } from '../random.ts'
import {
  anchorOf,
  drawAmounts,
  drawCandle,
  drawChange,
  drawIdentity,
  drawPoint,
  drawState,
  drawSwaps,
  drawTick,
  tsOf,
} from './drawn-rows.ts'

/** One write, to be done to every store alike. */
export type Write = {
  readonly name: string
  readonly to: (store: Store) => Promise<unknown>
}

/** What a drawn index knows of itself, so that most of what it writes fits. */
type Model = {
  indexed: { block: number; fork: number } | null
  settled: number
  epoch: number
  /** Pools by number, with the block that created them. */
  pools: { readonly number: number; readonly block: number }[]
  last: RangeBatch | null
}

const texts = ['NVDA', 'a\0b', '\\0', '\\', '', '🚀', "'; DROP", '\ud800', '{"a",NULL}']

const drawBlocks = ({ between }: Random, from: number, to: number): readonly number[] =>
  Array.from({ length: between(0, 12) }, () => between(from, to)).sort((a, b) => a - b)

const drawBatch = (random: Random, model: Model, from: number, fork: number): RangeBatch => {
  const { between, pick, percent } = random
  const to = from + between(0, 60)
  const news = percent(40) || model.pools.length === 0 ? between(1, 2) : 0
  const first = (model.pools.at(-1)?.number ?? 0) + 1
  const created = Array.from({ length: news }, (_, at) =>
    drawIdentity(first + at, between(from, to)),
  )
  const numbers = [...model.pools, ...created].map(({ number }) => number)
  const blocks = drawBlocks(random, from, to)
  const some = <T>(draw: () => T): T[] => Array.from({ length: between(0, 6) }, draw)
  return batchOf(
    { before: model.indexed?.block ?? null, to },
    {
      to: anchorOf(to, fork),
      head: anchorOf(to + 5, 0),
      blocks: [...new Set(blocks)].map((block) => anchorOf(block, fork)),
      pools: created,
      states: some(() => ({ pool: pick(numbers), state: drawState(random) })),
      ticks: some(() => drawTick(random, pick(numbers))),
      swaps: drawSwaps(random, numbers, blocks),
      liquidity: blocks
        .slice(0, 3)
        .map((block, at) => drawChange(random, pick(numbers), block, 50 + at)),
      candles: some(() => drawCandle(random, pick(numbers), tsOf(between(from, to)))),
      references: some(() => drawPoint(random, tsOf(between(from, to)))),
    },
  )
}

const took = (model: Model, batch: RangeBatch, fork: number): void => {
  model.indexed = { block: batch.to.block, fork }
  for (const { number, createdBlock } of batch.pools) {
    model.pools.push({ number, block: createdBlock })
  }
  model.last = batch
}

const drawCommit = (random: Random, model: Model): Write => {
  const { last } = model
  if (last !== null && random.percent(15)) {
    return { name: 'commit again', to: (store) => store.commitRange(last) }
  }
  const batch = drawBatch(random, model, (model.indexed?.block ?? -1) + 1, 0)
  if (random.percent(10)) {
    const elsewhere = { ...batch, expectedCursor: (batch.expectedCursor ?? 0) + 1 }
    return { name: 'commit elsewhere', to: (store) => store.commitRange(elsewhere) }
  }
  took(model, batch, 0)
  return { name: 'commit', to: (store) => store.commitRange(batch) }
}

const drawReplacement = (random: Random, model: Model): Write | null => {
  const { indexed, settled, epoch } = model
  if (indexed === null || indexed.block <= settled + 1) return null
  const ancestor = random.between(settled, indexed.block - 1)
  model.pools = model.pools.filter(({ block }) => block <= ancestor)
  const fork = indexed.fork + 1
  const anchor = ancestor < 0 ? null : anchorOf(ancestor, 0)
  const before = { ...model, indexed: ancestor < 0 ? null : { block: ancestor, fork: 0 } }
  const branch = drawBatch(random, before, ancestor + 1, fork)
  const touched = model.pools.filter(() => random.percent(70))
  const replacement: BranchReplacement = {
    epoch,
    cursor: anchorOf(indexed.block, indexed.fork),
    ancestor: anchor,
    restored: touched.map(({ number }) => ({
      pool: number,
      state: drawState(random),
      ticks: [drawTick(random, number)],
      candles: [drawCandle(random, number, anchor?.ts ?? day)],
    })),
    branch,
    repairs: random.between(0, 2),
  }
  took(model, branch, fork)
  model.epoch += 1
  return { name: 'replaceBranch', to: (store) => store.replaceBranch(replacement) }
}

const drawFinalityCheck = (random: Random, model: Model): Write | null => {
  const { indexed, settled } = model
  if (indexed === null || indexed.block <= settled) return null
  const to = random.between(settled + 1, indexed.block)
  const fork = to === indexed.block ? indexed.fork : 0
  const before = settled < 0 ? null : settled
  model.settled = to
  const verified = random.percent(50)
  return {
    name: 'settle',
    to: (store) =>
      store.advanceFinalized({
        expectedCursor: before,
        to: anchorOf(to, fork),
        crossChecked: verified,
      }),
  }
}

const drawPass = (random: Random, model: Model): Write => {
  const { between, percent, pick, next } = random
  const addresses = [100, 101, 102].filter(() => percent(60))
  const pools = model.pools.filter(() => percent(30))
  const block = model.indexed?.block ?? 0
  const pass = passAt(tsOf(block) + between(0, 2), {
    quotes: addresses.map((number) =>
      quoteOf({
        address: addressOf(number),
        source: pick(quotePublishers),
        bid: percent(20) ? null : next() * 100,
        halted: percent(20),
        haltTs: percent(20) ? null : day + between(0, 9),
        lapse: percent(10) ? 'unpriced' : null,
        acceptedUsd: percent(50) ? next() * 100 : null,
        jumpUpdates: percent(20) ? between(1, 9) : null,
      }),
    ),
    references: addresses.map((number) => ({
      ...drawPoint(random, tsOf(block)),
      address: addressOf(number),
    })),
    reserves: pools.map(({ number }) => ({
      pool: number,
      source: pick(['balance', 'screener'] as const),
      amount0: percent(20) ? null : next() * 1e20,
      amount1: next(),
      liquidityUsd: percent(50) ? null : next() * 1e6,
      ts: tsOf(block),
    })),
    hot: pools.map(({ number }) => ({ pool: number, lastHotTs: tsOf(block - between(0, 3)) })),
  })
  return { name: 'recordEnrichment', to: (store) => store.recordEnrichment(pass) }
}

const drawRecord = (random: Random, model: Model): Write => {
  const { between, percent, pick } = random
  const numbers = [100, 101, 102, 103].filter(() => percent(50))
  const fact = () => (percent(70) ? known(pick(texts)) : unknown('reverted'))
  const tokens = numbers.map((number) => ({
    address: addressOf(number),
    symbol: fact(),
    name: fact(),
    decimals: percent(70) ? known(between(0, 36)) : unknown('decimals-reverted'),
  }))
  const stocks = numbers.map((number) =>
    stockOf(number, { symbol: pick(texts), multiplier: percent(50) ? null : 10n ** 18n }),
  )
  const source = {
    source: pick(['pools', 'swaps', 'quotes'] as const),
    enabled: percent(80),
    lastAttemptTs: percent(50) ? null : day,
    lastSuccessTs: null,
    lastError: percent(50) ? null : pick(texts),
    partial: percent(50),
    failures: between(0, 3),
  }
  const searches = numbers.map((number) => ({
    address: addressOf(number),
    kind: pick(searchKinds),
    fromBlock: between(0, 9),
    done: between(0, 3),
    total: between(3, 9),
  }))
  const head = anchorOf((model.indexed?.block ?? 0) + between(0, 9), 0)
  const backfill = { phase: 'swaps', done: between(0, 3), total: 9 } as const
  const coverage = { checkedTs: day, checked: 9, missing: between(0, 2) }
  return pick<Write>([
    { name: 'recordTokens', to: (store) => store.recordTokens(tokens) },
    { name: 'recordStocks', to: (store) => store.recordStocks(stocks) },
    { name: 'recordSource', to: (store) => store.recordSource(source) },
    {
      name: 'recordCoverage',
      to: (store) => store.recordCoverage(coverage),
    },
    {
      name: 'recordCoveragePass',
      to: (store) => store.recordCoveragePass({ scannedTo: between(0, 2), venues: [] }),
    },
    { name: 'recordHead', to: (store) => store.recordHead(head) },
    { name: 'recordBackfill', to: (store) => store.recordProgress(backfill) },
    { name: 'recordSearches', to: (store) => store.recordSearches(searches) },
    {
      name: 'forgetSearches',
      to: (store) => store.forgetSearches(searches.slice(1).map(({ address }) => address)),
    },
  ])
}

const drawMap = (random: Random, model: Model): Write | null => {
  if (model.pools.length === 0) return null
  const { number } = random.pick(model.pools)
  const ticks = Array.from({ length: random.between(0, 5) }, () => drawTick(random, number))
  const state = drawState(random)
  return { name: 'replaceMap', to: (store) => store.replaceTickMap(number, state, ticks) }
}

const drawDepths = (random: Random, model: Model): Write => {
  const depths = model.pools
    .filter(() => random.percent(50))
    .map(({ number }) => ({ pool: number, depth: drawAmounts(random) }))
  return { name: 'recordDepths', to: (store) => store.recordDepths(depths) }
}

const drawPruning = (random: Random, model: Model): Write => {
  const ts = tsOf(random.between(0, model.indexed?.block ?? 0))
  const swapsBeforeTs = random.percent(50) ? ts - (ts % 86_400) : ts
  const limits = { swapsBeforeTs, minuteRowsBeforeTs: swapsBeforeTs - random.between(0, 86_400) }
  return { name: 'prune', to: (store) => store.prune(limits) }
}

const weights = {
  commit: 45,
  replacement: 10,
  finalityCheck: 8,
  pass: 12,
  record: 15,
  map: 5,
  depths: 3,
  pruning: 3,
}

/** Writes as an index would make them, one after the other. */
export const createDrawnWrites = (random: Random): (() => Write) => {
  const model: Model = { indexed: null, settled: -1, epoch: 0, pools: [], last: null }
  const draws = {
    commit: drawCommit,
    replacement: drawReplacement,
    finalityCheck: drawFinalityCheck,
    pass: drawPass,
    record: drawRecord,
    map: drawMap,
    depths: drawDepths,
    pruning: drawPruning,
  }
  return () => draws[random.weighted(weights)](random, model) ?? drawCommit(random, model)
}
