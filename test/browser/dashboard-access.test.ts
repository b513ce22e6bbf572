import { describe, expect, test } from 'vitest'
import { contrastFaults, nameFaults, structureFaults, walkByTab } from './access-audit.ts'
import { goTo, lookAt, search, soon, startDashboard, unhurried, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

/*
 * For everybody: by the keyboard alone, by ear, in bad light, on the smallest phone.
 */

const hostile = livelyPools.find(({ otherSymbol }) => otherSymbol === 'NVDA')
const paths = [
  '/',
  `/pools/${livelyPools[0]?.id}`,
  `/pools/${hostile?.id}`,
  '/stocks',
  '/stocks/NVDA',
]
const embed = `/embed/pool/${livelyPools[0]?.id}`

const sandbox = { name: 'box', sandbox: true, explorerUrl: 'https://explorer.example' }

test.each(['light', 'dark'] as const)('%s: every text can be read', async (colorScheme) => {
  const { url } = await startDashboard(0, { network: sandbox })
  const { page } = await lookAt(`${url}/`, { colorScheme, reducedMotion: 'reduce' })
  for (const path of [...paths, embed]) {
    await goTo(page, `${url}${path}`)
    expect(await page.locator('.banner.sandbox').count(), path).toBe(path === embed ? 0 : 1)
    expect(await contrastFaults(page), path).toEqual([])
  }
})

test('everything has a name and a role, headings and tables are in order', async () => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}/`)
  for (const path of paths) {
    await goTo(page, `${url}${path}`)
    const faults = [...(await nameFaults(page)), ...(await structureFaults(page))]
    expect(faults, path).toEqual([])
  }
})

describe('by the keyboard alone', () => {
  test('from the top through filters, order and rows to a pool, its range and back', async () => {
    const { url } = await startDashboard()
    const { page, complaints } = await lookAt(`${url}/?kind=canonical`)
    const { keyboard } = page
    const focused = () => page.evaluate('document.activeElement.textContent')
    await keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await keyboard.press('Enter')
    await soon(() => page.evaluate('document.activeElement.id')).toBe('main')
    await keyboard.press('/')
    await keyboard.type('tsla')
    await soon(() => search(page)).toBe('?q=tsla&kind=canonical')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Kind')
    await keyboard.press('a')
    await soon(() => search(page)).toBe('?q=tsla')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    expect(await focused()).toBe('Hot')
    await keyboard.press('Space')
    await soon(() => search(page)).toBe('?q=tsla&hot=true')
    await keyboard.press('Space')
    // The address of the token that the text stands for is one of them.
    await page.waitForSelector('.resolved .hex')
    const stops = 4 + (await page.locator('.resolved :is(a, button)').count())
    for (let tabs = 0; tabs < stops; tabs++) await keyboard.press('Tab')
    expect(await focused()).toContain('Liquidity')
    await keyboard.press('Enter')
    await page.waitForSelector('th[aria-sort=ascending] >> text=Liquidity')
    await whole(page)
    for (let tabs = 0; tabs < 5; tabs++) await keyboard.press('Tab')
    const row = await page.evaluate('document.activeElement.closest("tr").textContent')
    expect(row).toContain('TSLA/')
    // A row says to the keyboard what its cells say to the mouse, and to the ear as well.
    expect(await page.locator('.tip-box').textContent()).toMatch(/Price \$.* old, of .*Liquidity/s)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-describedby")')).toBe(
      await page.locator('.tip-box').getAttribute('id'),
    )
    await keyboard.press('Escape')
    expect(await page.locator('.tip-box').count()).toBe(0)
    await keyboard.press('Enter')
    await page.waitForSelector('.plots canvas')
    // The next Tab continues at the top of the new page, not at the end of the one that is gone.
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.getByLabel('24h').focus()
    await keyboard.press('ArrowLeft')
    await soon(() => search(page)).toBe('?range=6h')
    await page.goBack()
    await page.waitForSelector('.pager')
    expect(complaints).toEqual([])
  })

  test('a row that goes elsewhere keeps the focus, also where moving drops it', async () => {
    const { url, market } = await startDashboard()
    const script = `${unhurried}; delete Element.prototype.moveBefore`
    const { page } = await lookAt(`${url}/`, { script })
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")')
    const place = () => page.evaluate('document.activeElement.closest("tr")?.rowIndex')
    await page.locator('.row-link').nth(20).focus()
    const [link, at] = [await focused(), await place()]
    const { pools } = market
    Object.assign(market, {
      pools: async (query: Parameters<typeof pools>[0]) => {
        const found = await pools(query)
        return { ...found, items: found.items.toReversed() }
      },
    })
    await soon(() => {
      market.publish([{ topic: 'rollback', data: { afterBlock: null, ts: 9 }, about: null }])
      return place()
    }).not.toBe(at)
    expect(await focused()).toBe(link)
  })

  test('an element that the Tab key scrolls into view shows its tip', async () => {
    const { url } = await startDashboard()
    const { page } = await lookAt(`${url}/`, { viewport: { width: 1280, height: 500 } })
    await page.locator('.row-link').nth(6).focus()
    const before = await page.evaluate('scrollY')
    for (let tabs = 0; tabs < 10; tabs++) await page.keyboard.press('Tab')
    expect(await page.evaluate('scrollY')).toBeGreaterThan(before as number)
    // The scroll event is dispatched with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    expect(await page.locator('.tip-box').textContent()).toContain('Liquidity')
  })

  test.each(paths)('%s: each stop can be seen, and they end', async (path) => {
    const { url } = await startDashboard()
    const { page } = await lookAt(`${url}${path}`, { reducedMotion: 'reduce' })
    const { stops, faults, ended } = await walkByTab(page, 260)
    expect(faults).toEqual([])
    expect([ended, stops.length]).toEqual([true, expect.any(Number)])
    expect(stops.length).toBeGreaterThan(10)
  })
})

test('on the smallest phone no page is wider than its screen', async () => {
  const { url } = await startDashboard(0, { network: sandbox })
  const viewport = { width: 360, height: 740 }
  const { page, keep } = await lookAt(`${url}/`, { viewport })
  const meme = livelyPools.find(({ kind }) => kind === 'meme')
  const more = [`/pools/${meme?.id}`, '/?q=nothing-has-this', '/pools/0x12', '/docs', embed]
  for (const path of [...paths, ...more]) {
    await page.goto(`${url}${path}`)
    if (path !== '/docs') await whole(page)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, path).toBeLessThanOrEqual(0)
    await keep(`small${path.replaceAll(/\W+/g, '-').slice(0, 24)}`)
  }
})
