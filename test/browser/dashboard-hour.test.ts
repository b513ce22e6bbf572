import { expect, test } from 'vitest'
import { lookAt, startDashboard, untilSwapShown, whole } from './dashboard-page.ts'
import { letLoose } from './fast-market.ts'
import { livelyPools, nowTs } from './lively-market.ts'
import { createMeter } from './meter.ts'
import { testMsMax } from './open-browser.ts'

/*
 * The page that stays open all day: an hour of it in minutes, at ten times the speed. Its timers,
 * its clock, the market and the news all run ten times as fast.
 *
 *   | begin |  first half  |  second half  |
 *           ^ start        ^ middle        ^ end: the heap, after its garbage is collected
 */

const isDeep = process.env.TEST_TIER === 'T1'
const speed = 10
/** Five minutes at ten times the speed; in the short form seconds, to see that it runs at all. */
const halfSeconds = isDeep ? 150 : 5
const beginSeconds = isDeep ? 20 : 3
const stepMs = 250
/**
 * A page that has seen everything once is still being compiled for a while; a leak of one row per
 * event is four times as much in ten seconds.
 */
const heapGrowthMax = isDeep ? 1_000_000 : 2_500_000
/** What is traded in 250 ms: eighty swaps a second, eight of a market that is not fast. */
const swapsEach = 20

const faster = `{
  const [timeout, interval, real] = [setTimeout, setInterval, Date.now]
  const began = real()
  globalThis.setTimeout = (act, ms = 0, ...rest) => timeout(act, ms / ${speed}, ...rest)
  globalThis.setInterval = (act, ms = 0, ...rest) => interval(act, ms / ${speed}, ...rest)
  Date.now = () => began + (real() - began) * ${speed}
}`

const [pool] = livelyPools as readonly [(typeof livelyPools)[number]]

/** One look around; ends where it began. */
const walk = [
  `document.querySelector('[aria-label="Next page"]').click()`,
  `document.querySelector('th:nth-child(6) button').click()`,
  `document.querySelector('.row-link').click()`,
  `document.querySelector('input[value="7d"]').click()`,
  `document.querySelector('nav a[href="/stocks"]').click()`,
  `document.querySelector('.row-link').click()`,
  `document.querySelector('.brand').click()`,
]
const pageOfWalk = ['.pager', '.pager', '.plots canvas', '.plots canvas', '.row-link', '.plots']

type Page = Awaited<ReturnType<typeof lookAt>>['page']

const lookAround = async (page: Page): Promise<void> => {
  for (const [at, act] of walk.entries()) {
    await page.evaluate(act)
    // A handle on what was found would keep its whole page from being collected.
    await page
      .locator(pageOfWalk[at] ?? '.pager')
      .first()
      .waitFor()
    await whole(page)
  }
}

/** What is open: the table, where a reader also looks around, or a pool that is left alone. */
const cases = [
  { what: 'the table, and walks from it', path: '/', walks: true },
  { what: 'a pool', path: `/pools/${pool.id}`, walks: false },
]

test.each(cases)(
  'an hour of $what leaves the page as large as it was',
  async ({ path, walks }) => {
    const { url, market } = await startDashboard()
    const began = performance.now()
    const now = () => nowTs + Math.floor(((performance.now() - began) / 1000) * speed)
    const trading = letLoose(market, now)
    const { page, complaints } = await lookAt(`${url}${path}`, { script: faster })
    const meter = await createMeter(page)
    const live = async (seconds: number): Promise<void> => {
      const until = performance.now() + seconds * 1000
      for (let step = 0; performance.now() < until; step++) {
        trading.step(swapsEach)
        if (walks && step % 20 === 10) await lookAround(page)
        await page.waitForTimeout(stepMs)
      }
      // However late the page is with drawing what it was told.
      await untilSwapShown(page, () => trading.step())
    }
    if (walks) await lookAround(page)
    await live(beginSeconds)
    const start = await meter.sizes()
    await live(halfSeconds)
    const middle = await meter.sizes()
    await live(halfSeconds)
    const end = await meter.sizes()
    if (isDeep) console.log(path, { start, middle, end })
    const grown = JSON.stringify({ start, middle, end })
    expect(end.heap - start.heap, grown).toBeLessThan(heapGrowthMax)
    expect(end.nodes - start.nodes, grown).toBeLessThan(400)
    expect(end.listeners - start.listeners, grown).toBeLessThan(40)
    expect(complaints).toEqual([])
  },
  (beginSeconds + 2 * halfSeconds) * 1000 + testMsMax,
)
