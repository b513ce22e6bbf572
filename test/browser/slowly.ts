import type { Page } from 'playwright-core'
import { createRandom } from '../sim/random.ts'

/*
 * A machine or a line that is slower than ours: what then fails has waited for luck. `TEST_SLOW`
 * names the ways, see docs/testing.md.
 */

const lateMsMax = 2000

/** What comes late by this way: each time something else between at once and then. */
const late = {
  answers: '**/api/**',
  lists: /\/api\/v1\/pools(\?|$)/,
  stream: '**/api/v1/stream*',
  files: '**/dashboard/*',
} as const

/** How many times slower the page's processor is. */
const rates = { cpu6: 6, cpu15: 15 } as const

/** No frame for a second: what waits for the page to be painted comes late. */
export const lateFrames = `{
  const timeout = setTimeout
  globalThis.requestAnimationFrame = (draw) => timeout(draw, 1000)
  globalThis.setTimeout = (act, ms = 0, ...rest) => timeout(act, ms < 100 ? 1000 : ms, ...rest)
}`

const ways = (process.env.TEST_SLOW ?? '').split(',').filter((way) => way !== '')
const names = [...Object.keys({ ...late, ...rates }), 'frames']
const random = createRandom(Number(process.env.TEST_SEED ?? 20_261_121))

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const delay = (page: Page, path: string | RegExp) =>
  page.route(path, async (route) => {
    await pause(random.between(0, lateMsMax))
    // The page may have stopped asking, or have been closed.
    await route.continue().catch(() => {})
  })

const throttle = async (page: Page, rate: number) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Slows the page down as configured for the run. */
export const slowDown = async (page: Page): Promise<void> => {
  for (const way of ways) {
    if (way in late) await delay(page, late[way as keyof typeof late])
    else if (way in rates) await throttle(page, rates[way as keyof typeof rates])
    else if (way === 'frames') await page.addInitScript(lateFrames)
    else throw new Error(`TEST_SLOW: ${way} is none of ${names}`)
  }
}
