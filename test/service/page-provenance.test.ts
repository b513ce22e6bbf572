import { expect, test } from 'vitest'
import type { PoolProvenanceView } from '../../src/domain/views/provenance.ts'
import { lookAt, soon } from '../browser/dashboard-page.ts'
import { createApi } from './api.ts'
import { baseUrl } from './shared.ts'

/* The panel of the real service on the sandbox: what it shows is what the API answers. */

type Page = { readonly items: readonly { readonly id: string }[] }

const api = createApi(baseUrl)

const findPool = async (query: string): Promise<string> => {
  const { items } = await api.read<Page>(`/api/v1/pools?limit=1&${query}`)
  return items[0]?.id ?? ''
}

test.each([
  { what: 'a v3 pool', query: 'version=v3&kind=canonical&symbol=NVDA' },
  { what: 'a v4 pool', query: 'version=v4&kind=canonical&symbol=TSLA' },
  { what: 'a meme pool', query: 'kind=meme&symbol=NVDA' },
])('$what: each number opens its formula, value and inputs', async ({ query }) => {
  const { page, complaints } = await lookAt(`${baseUrl}/pools/${await findPool(query)}`)
  const answers: { readonly asked: string | null; readonly answer: PoolProvenanceView }[] = []
  page.on('response', async (response) => {
    const { pathname, searchParams } = new URL(response.url())
    if (!pathname.endsWith('/provenance') || !response.ok()) return
    answers.push({ asked: searchParams.get('field'), answer: await response.json() })
  })
  const panel = page.getByRole('dialog')
  const fields = await page
    .locator('button[data-field]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-field') ?? ''))
  expect(fields.length).toBeGreaterThan(15)
  for (const [at, field] of fields.entries()) {
    await page.locator(`button[data-field=${field}]`).click()
    await soon(() => answers.length).toBe(at + 1)
    expect(answers.at(-1)?.asked).toBe(field)
    const entry = answers.at(-1)?.answer.fields.find((each) => each.field === field)
    const value = entry?.value ?? 'not known'
    await soon(() => panel.locator('.made-value .exact').textContent()).toBe(String(value))
    expect(await panel.locator('.formula').textContent()).toBe(`${field} = ${entry?.formula}`)
    const names = await panel.locator('.inputs li > p:first-child > code').allTextContents()
    expect(names).toEqual(entry?.inputs.map(({ name }) => name))
    await page.keyboard.press('Escape')
    await soon(() => panel.count()).toBe(0)
  }
  expect(complaints).toEqual([])
})
