import { expect, test } from 'vitest'
import { addCandles } from './candle-market.ts'
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
 *
 * The browser may hold one page that was left (424 nodes) until others have come and gone: the end
 * is then looked at again, some moments later. What leaks has grown by then.
 */

const isDeep = process.env.TEST_TIER === 'T1'
const speed = 10
const stepMs = 250
/** At least two and a half minutes; in the short form seconds, to see that it runs at all. */
const halfSteps = isDeep ? 600 : 12
const beginSteps = isDeep ? 80 : 12
const momentSteps = 20
const againMax = 5
/** One look around in each of the short parts. */
const stepsPerWalk = 20
/**
 * A page that has seen everything once is still being compiled for a while, and what a browser
 * keeps for its own tools was half a megabyte in a hundred walks. A leak of one row per event is
 * at least four times as much as these.
 */
const growthMax = { heap: isDeep ? 2_000_000 : 2_500_000, nodes: 400, listeners: 40 }
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

type Sizes = Awaited<ReturnType<Awaited<ReturnType<typeof createMeter>>['sizes']>>

const isAsLarge = (start: Sizes, end: Sizes): boolean =>
  end.heap - start.heap < growthMax.heap &&
  end.nodes - start.nodes < growthMax.nodes &&
  end.listeners - start.listeners < growthMax.listeners

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
  { what: 'candles', path: `/pools/${pool.id}?chart=candles&width=1m`, walks: false },
]

test.each(cases)(
  'an hour of $what leaves the page as large as it was',
  async ({ path, walks }) => {
    const { url, market } = await startDashboard()
    const began = performance.now()
    const now = () => nowTs + Math.floor(((performance.now() - began) / 1000) * speed)
    const trading = letLoose(market, now)
    addCandles(market)
    const { page, complaints } = await lookAt(`${url}${path}`, { script: faster })
    const meter = await createMeter(page)
    const live = async (steps: number): Promise<void> => {
      for (let step = 0; step < steps; step++) {
        trading.step(swapsEach)
        if (walks && step % stepsPerWalk === 10) await lookAround(page)
        await page.waitForTimeout(stepMs)
      }
      // However late the page renders its events.
      await untilSwapShown(page, () => trading.step())
    }
    if (walks) await lookAround(page)
    await live(beginSteps)
    const start = await meter.sizes()
    await live(halfSteps)
    const middle = await meter.sizes()
    await live(halfSteps)
    let end = await meter.sizes()
    for (let again = 0; again < againMax && !isAsLarge(start, end); again++) {
      await live(momentSteps)
      end = await meter.sizes()
    }
    if (isDeep) console.log(path, { start, middle, end })
    expect(isAsLarge(start, end), JSON.stringify({ start, middle, end })).toBe(true)
    expect(complaints).toEqual([])
  },
  // Walks take as long again.
  2 * (beginSteps + 2 * halfSteps + againMax * momentSteps) * stepMs + testMsMax,
)
