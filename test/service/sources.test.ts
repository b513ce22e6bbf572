import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceView } from '../../src/domain/status/source-state.ts'
import type { PoolDetailView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { eventually } from './api.ts'
import { createChain } from './numbers/chain.ts'
import {
  afterOnePoll,
  type House,
  isWell,
  openHouse,
  operatorsQuotes,
  readPools,
  readSources,
  readStocks,
  untilAllIsWell,
} from './sources-house.ts'

/*
 * Each source fails in one or several known ways while the service runs, and recovers. Its row
 * reports that with the next attempt; earlier values stay, with their true age. The tests depend on
 * their order.
 */

let house: House
let feeds: Awaited<ReturnType<typeof createFeedBreaker>>
/** The last rows before the issuer went. */
let lastStocks: readonly StockView[] = []
beforeAll(async () => {
  house = await openHouse()
  feeds = await createFeedBreaker()
  await untilAllIsWell(house)
})
afterAll(() => house?.close())

const quotesAfter = (change: () => unknown, isReported: (row: SourceView) => boolean) =>
  afterOnePoll(house, 'quotes', change, isReported)

const isDegradedBy =
  (...causes: readonly RegExp[]) =>
  ({ state, lastError }: SourceView): boolean =>
    state === 'degraded' && causes.every((cause) => cause.test(lastError ?? ''))

type QuoteFields = Pick<StockView, 'symbol' | 'quoteUsd' | 'quoteBid' | 'quoteAsk' | 'quoteTs'>

const quoteFieldsOf = ({
  symbol,
  quoteUsd,
  quoteBid,
  quoteAsk,
  quoteTs,
}: StockView): QuoteFields => ({
  ...{ symbol, quoteUsd, quoteBid, quoteAsk, quoteTs },
})

const bySymbol = (rows: readonly StockView[]): ReadonlyMap<string, StockView> =>
  new Map(rows.map((row) => [row.symbol, row]))

const quoteSecondsMax = 45

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** Who quotes, or is quoted by; a feed only stands in for a quote that is old. */
const isQuoted = ({ quoteSource }: StockView): boolean => quoteSource !== 'chainlink'

/** The rows, of which none looks younger than its quote is, nor older. */
const readTrueAges = async (): Promise<readonly StockView[]> => {
  const askedTs = nowSeconds()
  const rows = await readStocks(house)
  const readTs = nowSeconds()
  for (const row of rows) {
    const { symbol, quoteSource, quoteTs, dataStatus, statusReasons } = row
    const isOld = askedTs - (quoteTs ?? 0) > quoteSecondsMax + 2
    const isYoung = readTs - (quoteTs ?? 0) < quoteSecondsMax - 2
    if (isQuoted(row) && !isOld && !isYoung) continue
    const age = readTs - (quoteTs ?? 0)
    const name = `${symbol} by ${quoteSource}, ${age} s old: ${dataStatus} ${statusReasons}`
    // However young a feed's answer is, the row says that the quote is old.
    expect(dataStatus === 'fresh', name).toBe(isQuoted(row) && isYoung)
    expect(statusReasons.includes('quote_old'), name).toBe(!isQuoted(row) || isOld)
  }
  return rows
}

/** Code that does nothing but fail. */
const brokenCode = '0xfe'

/** Breaks the feeds' contracts; restores them. */
const createFeedBreaker = async () => {
  const { request } = createChain(house.manifest)
  const feeds = house.manifest.tokens.flatMap(({ feed }) => feed ?? [])
  const codes = await Promise.all(feeds.map((feed) => request('eth_getCode', [feed, 'latest'])))
  const setCodes = (codeAt: (index: number) => unknown) =>
    Promise.all(feeds.map((feed, index) => request('anvil_setCode', [feed, codeAt(index)])))
  return {
    break: () => setCodes(() => brokenCode),
    restore: () => setCodes((index) => codes[index]),
  }
}

/** The rows of another moment that must still say the same, where no feed has stood in since. */
const expectKept = (before: readonly StockView[], after: readonly StockView[]): void => {
  const later = bySymbol(after)
  const pairs = before.map((row) => [row, later.get(row.symbol) as StockView] as const)
  const kept = pairs.filter((pair) => pair.every(isQuoted))
  expect(kept.map(([, row]) => quoteFieldsOf(row))).toEqual(kept.map(([row]) => quoteFieldsOf(row)))
}

const readChecks = async () => {
  const hot = await readPools(house, '?hot=true')
  const details = await Promise.all(
    hot.map(({ id }) => house.api.read<PoolDetailView>(`/api/v1/pools/${id}?range=1h`)),
  )
  return details.flatMap(({ screener }) => screener ?? [])
}

test('the issuer rejects every connection', async () => {
  const isReported = isDegradedBy(
    /^issuer: unreachable: [^/]*: connection failed \(ECONNREFUSED\)$/,
  )
  await quotesAfter(house.proxy.cut, isReported)
  lastStocks = await readTrueAges()
})

test('the issuer says local_rate_limited in a 200, and the file is a page in HTML', async () => {
  const spoil = async () => {
    house.writeQuotes('<!doctype html>')
    await house.control('quotes', { mode: 'rate-limited' })
    await house.proxy.reconnect()
  }
  await quotesAfter(spoil, isDegradedBy(/^issuer: rate-limited: /, /; file: malformed: .*JSON$/))
  expectKept(lastStocks, await readTrueAges())
})

test('the screener reports twice the true liquidity: shown, but not used', async () => {
  const checks = await eventually(readChecks, (each) => each.length > 5)
  expect(checks.filter(({ agrees }) => agrees === true)).toEqual([])
  const apart = checks.filter(({ agrees }) => agrees === false)
  expect(apart.length).toBeGreaterThan(5)
  for (const { differenceBps } of apart) expect(differenceBps).toBeGreaterThan(8000)
  const pools = await readPools(house)
  expect(pools.some(({ reserveSource }) => reserveSource === 'screener')).toBe(false)
  // It is asked twice a minute: what comes of this is looked at last.
  await house.control('screener', { mode: 'error' })
})

/** A wrapper has that of its asset. */
const hasOwnQuote = ({ symbol }: StockView): boolean => symbol !== 'WORCL'

test('the issuer leaves out half of its symbols, the feeds fail: only these are old', async () => {
  const spoil = async () => {
    house.writeQuotes(operatorsQuotes)
    await feeds.break()
    await house.control('quotes', { mode: 'lacking' })
  }
  const isReported = isDegradedBy(/^issuer: \d+ of \d+ quotes; chainlink: 0 of \d+ quotes/)
  const isAfter =
    (earlier: SourceView) =>
    ({ lastAttemptTs }: SourceView) =>
      (lastAttemptTs ?? 0) > (earlier.lastAttemptTs ?? 0)
  const first = await quotesAfter(spoil, isReported)
  // The quotes of the previous poll may be served a moment after the source row.
  const second = await quotesAfter(() => {}, isAfter(first))
  const before = await readStocks(house)
  const third = await quotesAfter(() => {}, isAfter(second))
  await quotesAfter(() => {}, isAfter(third))
  const beforeOf = bySymbol(before)
  const isNewer = ({ symbol, quoteSource, quoteTs }: StockView): boolean =>
    quoteSource === 'issuer' && (quoteTs ?? 0) > (beforeOf.get(symbol)?.quoteTs ?? 0)
  // The issuer makes new quotes every five seconds, on a busy machine less often than it is asked.
  const rows = await eventually(
    async () => (await readTrueAges()).filter(hasOwnQuote),
    (all) => all.filter(isNewer).length >= Math.floor(all.length / 2),
  )
  const [served, lacking] = [rows.filter(isNewer), rows.filter((row) => !isNewer(row))]
  // Every other symbol is left out.
  expect(Math.abs(served.length - lacking.length)).toBeLessThanOrEqual(1)
  expectKept(lacking, lastStocks)
  for (const { symbol, oracleUsd, oracleTs } of rows) {
    const oracle = { oracleUsd: beforeOf.get(symbol)?.oracleUsd }
    expect({ oracleUsd }, symbol).toEqual(oracle)
    expect(oracleTs, symbol).toBe(beforeOf.get(symbol)?.oracleTs)
  }
})

test('all at once: the issuer drips, the endpoint answers in HTML, the file is gone', async () => {
  await feeds.restore()
  await house.control('quotes', { mode: 'dripping' })
  rmSync(house.quotesFile)
  const breakEndpoint = () => house.control('rpc', { mode: 'html' })
  const isCut = afterOnePoll(house, 'swaps', breakEndpoint, isDegradedBy(/HTML/))
  const causes = [/^issuer: unreachable: .*response timed out/, /; chainlink: /]
  const areSilent = quotesAfter(() => {}, isDegradedBy(...causes))
  await isCut
  const before = await readPools(house)
  await areSilent
  await readTrueAges()
  const askedTs = nowSeconds()
  const pools = await readPools(house)
  expect(new Set(pools.map((row) => row.asOfBlock))).toEqual(new Set([before[0]?.asOfBlock]))
  for (const { stateTs, dataStatus } of pools) {
    if (stateTs !== null && askedTs - stateTs > 32) expect(dataStatus).toBe('stale')
  }
})

test('all sources recover: everything is fresh and the index advances', async () => {
  const [before] = await readPools(house)
  const restore = async () => {
    house.writeQuotes(operatorsQuotes)
    await house.control('quotes', { mode: 'ok' })
    await house.control('rpc', { mode: 'ok' })
  }
  await restore()
  await Promise.all([afterOnePoll(house, 'swaps', () => {}, isWell), quotesAfter(() => {}, isWell)])
  // The quotes of a poll are served a moment after the source row.
  await eventually(
    () => readStocks(house),
    (rows) => rows.every(({ dataStatus }) => dataStatus === 'fresh'),
  )
  await eventually(
    () => readPools(house),
    ([row]) => (row?.asOfBlock ?? 0) > (before?.asOfBlock ?? 0),
  )
})

test('the screener has answered 500, and agrees with the maps when it is back', async () => {
  const isReported = isDegradedBy(/^unreachable: [^/]*: HTTP 500$/)
  await eventually(
    () => readSources(house),
    ({ screener }) => isReported(screener),
  )
  const restoredTs = nowSeconds()
  const restore = () => house.control('screener', { mode: 'ok' })
  await afterOnePoll(house, 'screener', restore, isWell)
  // Earlier figures of a pool are served until its next turn.
  const readNewChecks = async () => (await readChecks()).filter(({ ts }) => ts >= restoredTs)
  const isAgreed = (each: Awaited<ReturnType<typeof readNewChecks>>) =>
    each.some(({ agrees }) => agrees === true)
  const checks = await eventually(readNewChecks, isAgreed)
  for (const { agrees, differenceBps } of checks) {
    expect(agrees, `${differenceBps} bps apart`).not.toBe(false)
  }
})
