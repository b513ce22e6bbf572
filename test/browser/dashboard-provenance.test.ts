import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { explorerUrl, lookAt, soon, startDashboard, unhurried } from './dashboard-page.ts'
import { addExplained, rowOf } from './explained-market.ts'

type Look = Parameters<typeof lookAt>[1]

const open = async (name: Parameters<typeof rowOf>[0], look: Look = {}) => {
  const { url, market } = await startDashboard()
  const asked = addExplained(market)
  const row = rowOf(name)
  const opened = await lookAt(`${url}/pools/${row.id}`, { script: unhurried, ...look })
  return { ...opened, url, market, asked, row }
}

const numbers = (page: Page) => page.locator('button[data-field]')
const number = (page: Page, field: string) => page.locator(`button[data-field=${field}]`)
const panel = (page: Page) => page.getByRole('dialog')
const value = (page: Page) => panel(page).locator('.made-value .exact').textContent()
const titleCode = (page: Page) => panel(page).locator('h2 code').textContent()
const focused = (page: Page) =>
  page.evaluate('document.activeElement.dataset.field ?? document.activeElement.id')

const close = async (page: Page) => {
  await page.keyboard.press('Escape')
  await soon(() => panel(page).count()).toBe(0)
}

const expectedFields = [
  'stockPriceInOther',
  'liquidityUsd',
  'stockReserve',
  'otherReserve',
  'depthUsd',
  'vol1hUsd',
  'vol24hUsd',
  'swaps24h',
  'traders24h',
  'vol24hFilteredUsd',
  'feeApr24h',
  'lastSwapTs',
  'asOfBlock',
  'stateTs',
  'createdBlock',
  'tick',
  'tickSpacing',
  'fee',
  'lastSwapFee',
]

describe('each number of a pool', () => {
  test.each([
    ['canonical', ['stockPriceUsd', 'premiumBps']],
    ['meme', ['otherPriceUsd']],
    ['unknown', ['stockPriceUsd', 'premiumBps']],
  ] as const)('%s: opens how it was made, with the value of the row', async (name, own) => {
    const { page, complaints, asked, row } = await open(name)
    const fields = await numbers(page).evaluateAll((all) =>
      all.map((each) => each.getAttribute('data-field') ?? ''),
    )
    expect(fields.toSorted()).toEqual([...own, ...expectedFields].sort())
    expect(asked.count).toBe(0)
    for (const [at, field] of fields.entries()) {
      await numbers(page).nth(at).click()
      const published = row[field as keyof typeof row]
      await soon(() => value(page)).toBe(published === null ? 'not known' : String(published))
      expect([await titleCode(page), asked.count]).toEqual([field, at + 1])
      await close(page)
      await soon(() => focused(page)).toBe(field)
    }
    expect(complaints).toEqual([])
  })

  test('names formula, inputs, block and links; an input opens its own', async () => {
    const { page, complaints, asked, row, url } = await open('canonical')
    await number(page, 'liquidityUsd').click()
    await soon(() => value(page)).toBe(String(row.liquidityUsd))
    expect(await panel(page).locator('.formula').textContent()).toContain('liquidityUsd = finite(')
    expect(await panel(page).locator('.origin').textContent()).toMatch(/^block #24,880,431, \d+s/)
    expect(await panel(page).textContent()).toContain('§4 reserves and liquidity')
    const command = `stockpools verify ${row.id} --rpc https://your.node --api ${url}`
    expect(await panel(page).locator('.command code').textContent()).toBe(command)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await panel(page).getByRole('button', { name: 'Copy the command' }).click()
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe(command)
    const step = (name: string) => panel(page).getByRole('button', { name })
    await step('Price of the other token: how it was made').click()
    await step('Reference of the other token: how it was made').click()
    expect(await titleCode(page)).toBe('otherReferenceUsd')
    expect(await panel(page).textContent()).toContain('Quote by chainlink, published ')
    await soon(() => focused(page)).toBe('provenance-title')
    await step('Back').click()
    await step('Back').click()
    expect(await titleCode(page)).toBe('liquidityUsd')
    expect(await step('Back').count()).toBe(0)
    await step('Reserve of the stock token: how it was made').click()
    await step('Reserve of token0 by the tick map: how it was made').click()
    expect(await panel(page).textContent()).toContain('a list of 2')
    await step('Square root of the price: how it was made').click()
    expect(await value(page)).toBe(row.sqrtPriceX96)
    const links = await panel(page)
      .locator(`a[href^="${explorerUrl}"]`)
      .evaluateAll((all) => all.map((each) => (each as { href?: string }).href))
    expect(links).toContain(`${explorerUrl}/block/24880431`)
    expect(links.some((link) => link?.startsWith(`${explorerUrl}/address/0x`))).toBe(true)
    expect(asked.count).toBe(1)
    expect(complaints).toEqual([])
  })

  test('that is not known says why and what is missing', async () => {
    const { page } = await open('unknown')
    await number(page, 'stockPriceUsd').click()
    await soon(() => value(page)).toBe('not known')
    const made = () => panel(page).locator('.made').textContent()
    expect(await made()).toContain('The pool has no price yet.')
    expect(await made()).toContain('Missing: stockPriceInOther')
  })

  test('that the service cannot explain now says so, and is asked again', async () => {
    const { page, market, row } = await open('canonical')
    const { provenance } = market
    Object.assign(market, { provenance: async () => Promise.reject(new Error('broken')) })
    await number(page, 'tick').click()
    await soon(() => panel(page).locator('.nothing').textContent()).not.toBe('Loading …')
    Object.assign(market, { provenance })
    await soon(() => value(page)).toBe(String(row.tick))
  })
})

test('by the keyboard: Enter opens, Tab stays inside, Escape closes and returns', async () => {
  const { page, row } = await open('canonical')
  await number(page, 'depthUsd').focus()
  expect(await page.locator('.tip-box').textContent()).toContain('Press for its formula')
  await page.keyboard.press('Enter')
  await soon(() => value(page)).toBe(String(row.depthUsd))
  await soon(() => focused(page)).toBe('provenance-title')
  expect(await page.locator('.tip-box').count()).toBe(0)
  const isOutside = 'document.activeElement.closest("dialog, body > :not(#app)") === null'
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press('Tab')
    // Past the last stop the browser's own bar has the focus.
    expect(await page.evaluate(`document.activeElement !== document.body && ${isOutside}`)).toBe(
      false,
    )
  }
  await close(page)
  await soon(() => focused(page)).toBe('depthUsd')
  // An address inside shows its tip above the panel.
  await page.keyboard.press('Enter')
  await soon(() => value(page)).toBe(String(row.depthUsd))
  const hex = panel(page).locator('button.hex').first()
  await hex.hover()
  const box = await page.locator('.tip-box').boundingBox()
  const at = { x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 }
  expect(await page.evaluate(`document.querySelector('.tip-box').matches(':popover-open')`)).toBe(
    true,
  )
  expect(at.x).toBeGreaterThan(0)
})

test.each(['light', 'dark'] as const)('%s: on a phone it is read whole', async (colorScheme) => {
  const viewport = { width: 390, height: 844 }
  const { page, row, keep, complaints } = await open('canonical', { viewport, colorScheme })
  const place = () => page.evaluate('[scrollY, document.documentElement.scrollHeight]')
  await number(page, 'premiumBps').scrollIntoViewIfNeeded()
  const before = await place()
  await number(page, 'premiumBps').click()
  await soon(() => value(page)).toBe(String(row.premiumBps))
  expect(await place()).toEqual(before)
  const overflow = (element: string) =>
    page.evaluate(`${element}.scrollWidth - ${element}.clientWidth`)
  expect(await overflow('document.documentElement')).toBeLessThanOrEqual(0)
  expect(await overflow('document.querySelector("dialog")')).toBeLessThanOrEqual(0)
  expect(await contrastFaults(page)).toEqual([])
  const faults = [...(await nameFaults(page)), ...(await structureFaults(page))]
  expect(faults.filter((fault) => fault !== '0 mains')).toEqual([])
  await keep(`provenance-phone-${colorScheme}`)
  await page.setViewportSize({ width: 1360, height: 900 })
  await keep(`provenance-wide-${colorScheme}`)
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await soon(() => panel(page).count()).toBe(0)
  await keep(`provenance-page-${colorScheme}`)
  expect(complaints).toEqual([])
})
