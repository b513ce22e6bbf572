import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { lookAt, soon } from '../browser/dashboard-page.ts'
import { baseUrl } from './shared.ts'

/* The dashboard of the real service on the sandbox: it lists every swap of the API. */

const client = createClient(baseUrl)

/** The transactions that are drawn; runs in the page. */
const drawnScript = `[...document.querySelectorAll('.swaps [aria-label^="Copy transaction"]')].map(
  (each) => each.ariaLabel.split(' ').at(-1),
)`

test.each(['', '?side=sell&minUsd=100'])('all swaps of a pool%s', async (query) => {
  const { items } = await client.pools({ sort: 'vol24h', limit: 1 })
  const id = items[0]?.id ?? ''
  const filter = query === '' ? {} : ({ side: 'sell', minUsd: 100 } as const)
  const expected = new Set<string>()
  for await (const { txHash } of client.eachSwap(id, filter)) expected.add(txHash)
  expect(expected.size).toBeGreaterThan(20)
  const { page, complaints } = await lookAt(`${baseUrl}/pools/${id}${query}`)
  const seen = new Set<string>()
  const status = page.locator('.tape-foot [role=status]')
  await soon(async () => {
    for (const hash of (await page.evaluate(drawnScript)) as string[]) seen.add(hash)
    if (/at the end|not kept/.test((await status.textContent()) ?? '')) return true
    await page.evaluate(`document.querySelector('.tape-scroll').scrollBy(0, 400)`)
    return false
  }).toBe(true)
  await page.evaluate(`document.querySelector('.tape-scroll').scrollTo(0, 1e6)`)
  await soon(async () => {
    for (const hash of (await page.evaluate(drawnScript)) as string[]) seen.add(hash)
    return [...expected].filter((hash) => !seen.has(hash)).length
  }).toBe(0)
  expect(complaints).toEqual([])
})
