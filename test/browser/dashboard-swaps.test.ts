import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { formatUsd } from '../../dashboard/format/number.ts'
import { failure } from '../../src/domain/outcome.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { lookAt, search, soon, startDashboard, unhurried, whole } from './dashboard-page.ts'
import { holdAnswers } from './held-answers.ts'
import { livelyPools } from './lively-market.ts'
import { addSwaps, firstLog, newestBlock, pastSwap } from './swap-market.ts'

type Look = Parameters<typeof lookAt>[1]
type Parts = Parameters<typeof addSwaps>[1] & { readonly look?: Look; readonly query?: string }

const [pool] = livelyPools as readonly [(typeof livelyPools)[number]]
const about = { symbols: [pool.stockSymbol], poolId: pool.id }

const openSwaps = async ({ look = {}, query = '', ...parts }: Parts = {}) => {
  const { url, market } = await startDashboard()
  const state = addSwaps(market, parts)
  const opened = await lookAt(`${url}/pools/${pool.id}${query}`, look)
  return { url, market, state, ...opened }
}

type Question = { readonly swaps?: Readonly<Record<string, unknown>> }
const questions = ({ queries }: SampleMarket) =>
  (queries as readonly Question[]).flatMap(({ swaps }) => (swaps === undefined ? [] : [swaps]))

const usd = (before: number): string => formatUsd(pastSwap(before).amountUsd)
const rows = (page: Page) => page.locator('.swaps tbody tr:not(.room)')
const status = (page: Page) => page.locator('.tape-foot [role=status]').textContent()

/** The numbers of the rows that are drawn, and where each stands; runs in the page. */
const drawnScript = `(() => {
  const top = document.querySelector('.tape-scroll').getBoundingClientRect().top
  return [...document.querySelectorAll('.swaps tbody tr:not(.room)')].map((row) => ({
    transaction: row.querySelector('a[href*="/tx/"]').href.split('/tx/')[1],
    y: Math.round(row.getBoundingClientRect().top - top),
  }))
})()`

type Drawn = { readonly before: number; readonly y: number }

const drawn = async (page: Page): Promise<readonly Drawn[]> => {
  const found = (await page.evaluate(drawnScript)) as { transaction: string; y: number }[]
  return found.map(({ transaction, y }) => ({
    before: firstLog - Number.parseInt(transaction.slice(2).replace(/^7*/, ''), 16),
    y,
  }))
}

const scrollBy = (page: Page, pixels: number) =>
  page.evaluate(`document.querySelector('.tape-scroll').scrollBy(0, ${pixels})`)

/** Nothing of the visible part is room for rows that are not drawn. */
const isDrawnScript = `(() => {
  const box = document.querySelector('.tape-scroll').getBoundingClientRect()
  return [...document.querySelectorAll('.swaps tr.room')].every((room) => {
    const { top, bottom } = room.getBoundingClientRect()
    return top >= box.bottom - 1 || bottom <= box.top + 30
  })
})()`

/** Scrolls until the words are there; the numbers of all swaps that were drawn on the way. */
const scrollUntil = async (page: Page, pixels: number, isThere: () => Promise<boolean>) => {
  const seen = new Set<number>()
  await soon(async () => {
    for (const { before } of await drawn(page)) seen.add(before)
    if (await isThere()) return true
    await scrollBy(page, pixels)
    await soon(() => page.evaluate(isDrawnScript)).toBe(true)
    return false
  }).toBe(true)
  for (const { before } of await drawn(page)) seen.add(before)
  return [...seen].toSorted((one, other) => one - other)
}

const atEnd = (page: Page) => async () => (await status(page)) === 'The first swap is at the end.'
const upTo = (count: number) => Array.from({ length: count }, (_, before) => before)

test('a reader scrolls through all swaps, each once, and few are drawn at a time', async () => {
  const { page, market, complaints, keep } = await openSwaps({ count: 350 })
  await soon(() => rows(page).first().textContent()).toContain(usd(0))
  await page.locator('.swaps').scrollIntoViewIfNeeded()
  await keep('swaps')
  const seen = await scrollUntil(page, 400, atEnd(page))
  expect(seen).toEqual(upTo(350))
  expect(await rows(page).count()).toBeLessThan(50)
  expect(questions(market).filter(({ cursor }) => cursor !== null)).toHaveLength(3)
  await soon(() => rows(page).last().textContent()).toContain(usd(349))
  expect(complaints).toEqual([])
})

test('a long way back keeps the page small, and the way forth finds every swap again', async () => {
  const count = 2600
  const { page, market, complaints } = await openSwaps({ count, look: { script: unhurried } })
  const seen = await scrollUntil(page, 2600, atEnd(page))
  expect(seen.at(-1)).toBe(count - 1)
  const height = await page.evaluate('document.querySelector(".tape-scroll").scrollHeight')
  expect(height).toBeLessThan(28 * 1002)
  const isBack = async () => (await drawn(page))[0]?.before === 0
  const again = await scrollUntil(page, -420, isBack)
  expect(again).toEqual(upTo(count))
  expect(questions(market).some(({ order }) => order === 'asc')).toBe(true)
  expect(await rows(page).count()).toBeLessThan(50)
  expect(complaints).toEqual([])
})

describe('the stream', () => {
  /** Publishes a swap later than the newest; the market has it too. */
  const trade = (
    { market, state }: { market: SampleMarket; state: ReturnType<typeof addSwaps> },
    number: number,
  ) => {
    const data = pastSwap(-number)
    if (!state.rows.some(({ block }) => block === data.block)) state.rows.unshift(data)
    state.asOfBlock = data.block
    market.publish([{ topic: 'swap', data, about }])
  }

  test('at the top new swaps are seen; further down the place stays', async () => {
    const opened = await openSwaps({ look: { script: unhurried } })
    const { page, complaints } = opened
    await soon(async () => {
      trade(opened, 1)
      return rows(page).first().textContent()
    }).toContain(usd(-1))
    await scrollBy(page, 1000)
    await soon(async () => (await drawn(page)).some(({ before }) => before > 40)).toBe(true)
    await page.evaluate('new Promise(requestAnimationFrame)')
    const before = await drawn(page)
    const middle = before.find(({ y }) => y > 200) as Drawn
    for (let number = 2; number < 12; number++) trade(opened, number)
    const first = () =>
      page.evaluate('document.querySelector(".swaps [aria-rowindex]:not(thead *)").ariaRowIndex')
    const index = Number(await first())
    await soon(async () => Number(await first())).toBeGreaterThan(index)
    expect((await drawn(page)).find((each) => each.before === middle.before)).toEqual(middle)
    await page.getByRole('button', { name: 'Newest' }).click()
    await soon(() => rows(page).first().textContent()).toContain(usd(-11))
    expect(complaints).toEqual([])
  })

  test('after a rollback the replaced rows are gone and those of the branch come', async () => {
    const opened = await openSwaps({ look: { script: unhurried } })
    const { page, market, state } = opened
    await soon(async () => {
      for (const number of [1, 2, 3]) trade(opened, number)
      return rows(page).first().textContent()
    }).toContain(usd(-3))
    state.rows = state.rows.filter(({ block }) => block <= newestBlock + 1)
    state.asOfBlock = newestBlock + 1
    market.publish([
      { topic: 'rollback', data: { afterBlock: newestBlock + 1, ts: 9 }, about: null },
    ])
    await soon(() => rows(page).first().textContent()).toContain(usd(-1))
    expect((await drawn(page)).map(({ before }) => before).slice(0, 3)).toEqual([-1, 0, 1])
    trade(opened, 5)
    await soon(() => rows(page).first().textContent()).toContain(usd(-5))
    expect((await drawn(page)).map(({ before }) => before).slice(0, 3)).toEqual([-5, -1, 0])
  })

  test('a swap that the filter leaves out does not come', async () => {
    const opened = await openSwaps({ look: { script: unhurried }, query: '?side=sell' })
    const { page } = opened
    await soon(async () => {
      for (const number of [1, 2, 3]) trade(opened, number)
      return rows(page).first().textContent()
    }).toContain(usd(-3))
    const sides = await page.locator('.swaps td.side').allTextContents()
    expect(new Set(sides)).toEqual(new Set(['sell']))
    expect((await drawn(page)).map(({ before }) => before).slice(0, 2)).toEqual([-3, 0])
  })
})

test('filters are in the address, asked of the service and kept', async () => {
  const { page, market, complaints } = await openSwaps({ query: '?range=7d' })
  await page.getByLabel('Sells').check()
  await soon(() => search(page)).toBe('?range=7d&side=sell')
  await soon(() => rows(page).nth(1).textContent()).toContain(usd(3))
  await page.getByLabel('Least value of the swaps').selectOption('100')
  await soon(() => search(page)).toBe('?range=7d&side=sell&minUsd=100')
  const asked = expect.objectContaining({ side: 'sell', minUsd: 100 })
  await soon(() => questions(market)).toContainEqual(asked)
  await page.reload()
  await soon(() => rows(page).nth(1).textContent()).toContain(usd(3))
  expect(await page.getByLabel('Sells').isChecked()).toBe(true)
  await page.getByLabel('Least value of the swaps').selectOption('100000')
  await soon(() => status(page)).toBe('No swap is like this.')
  expect(await rows(page).count()).toBe(0)
  expect(complaints).toEqual([])
})

describe('in words', () => {
  test('swaps that load', async () => {
    const { page } = await openSwaps()
    const { letAllGo } = await holdAnswers(page, /\/swaps\?/)
    await page.getByLabel('Buys').check()
    await soon(() => status(page)).toBe('Loading swaps …')
    await page.waitForSelector('.swaps[aria-busy=true]')
    await letAllGo()
    await whole(page)
    await soon(() => rows(page).first().textContent()).toContain(usd(1))
  })

  test.each([
    ['swaps that are not kept', { complete: false, count: 5 }, 'Older swaps are not kept.'],
    ['no swap', { count: 0 }, 'There has been no swap.'],
  ])('%s', async (_what, parts, words) => {
    const { page } = await openSwaps(parts)
    await soon(() => status(page)).toBe(words)
  })

  test('swaps that are deleted while they are read, and some that cannot be read', async () => {
    const { page, market } = await openSwaps({ count: 900 })
    const { poolSwaps } = market
    let answer: () => ReturnType<typeof poolSwaps> = () => {
      throw new Error('the disk is gone')
    }
    Object.assign(market, {
      poolSwaps: async (...question: Parameters<typeof poolSwaps>) =>
        question[1].cursor === null ? poolSwaps(...question) : answer(),
    })
    await scrollUntil(page, 2600, async () => (await status(page))?.includes('could not') === true)
    answer = async () => failure({ kind: 'history-pruned', keptSince: 7 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await soon(() => status(page)).toBe('Older swaps are not kept.')
  })

  test('a cursor of a replaced block: the list continues by time', async () => {
    const { page, market } = await openSwaps({ count: 350 })
    const { poolSwaps } = market
    let refused = 0
    Object.assign(market, {
      poolSwaps: async (...question: Parameters<typeof poolSwaps>) => {
        if (question[1].cursor === null || refused > 0) return poolSwaps(...question)
        refused++
        return failure({ kind: 'cursor-replaced' } as const)
      },
    })
    expect(await scrollUntil(page, 400, atEnd(page))).toEqual(upTo(350))
    expect(refused).toBe(1)
  })
})

test('by the keyboard: one stop for the list, one row, and arrows between rows', async () => {
  const { page, complaints } = await openSwaps({ count: 900 })
  const region = page.getByRole('region', { name: 'Swaps, newest first' })
  await region.focus()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate('document.activeElement.closest("tr")?.ariaRowIndex')
  expect(await focused()).toBe('2')
  for (let row = 3; row < 43; row++) {
    await page.keyboard.press('ArrowDown')
    await soon(focused).toBe(String(row))
  }
  await page.keyboard.press('ArrowUp')
  await soon(focused).toBe('41')
  await scrollBy(page, 5000)
  await soon(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Swaps, newest first')
  const stops = await region.locator('[tabindex="0"]').count()
  expect(stops).toBe(2)
  expect(complaints).toEqual([])
})

test.each([
  { width: 360, colorScheme: 'dark' },
  { width: 1360, colorScheme: 'light' },
] as const)('$width pixels: fits, can be read, and moves nothing', async (each) => {
  const { width, colorScheme } = each
  const viewport = { width, height: 900 }
  const look = { viewport, colorScheme, reducedMotion: 'reduce' } as const
  const { page, keep, complaints } = await openSwaps({ look })
  const height = () => page.evaluate('document.querySelector(".swaps").offsetHeight')
  const before = await height()
  await page.locator('.swaps').scrollIntoViewIfNeeded()
  await scrollUntil(page, 900, atEnd(page))
  await keep(`swaps-${width}`)
  expect(await height()).toBe(before)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await contrastFaults(page)).toEqual([])
  expect([...(await nameFaults(page)), ...(await structureFaults(page))]).toEqual([])
  await page.getByLabel('Least value of the swaps').selectOption('100000')
  await soon(() => status(page)).toBe('No swap is like this.')
  expect(await height()).toBe(before)
  expect(complaints).toEqual([])
})
