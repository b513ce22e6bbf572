import type { Page } from 'playwright-core'
import { soon } from './dashboard-page.ts'

type Held = { readonly url: URL; readonly letGo: () => void }

/**
 * Answers of a slow line: each is read when it is asked for, and reaches the page when it is let
 * go, in whatever order.
 */
export const holdAnswers = async (page: Page, path: RegExp) => {
  const held: Held[] = []
  await page.route(path, async (route) => {
    const response = await route.fetch().catch(() => null)
    if (response === null) return
    await new Promise<void>((resolve) => {
      held.push({ url: new URL(route.request().url()), letGo: resolve })
    })
    // The page may have stopped asking.
    await route.fulfill({ response }).catch(() => {})
  })
  return {
    /** The answer whose question says so, when the service has given it. */
    answerTo: async (words: string): Promise<Held> => {
      const find = () => held.findLast(({ url }) => url.href.includes(words))
      await soon(() => find() !== undefined).toBe(true)
      return find() as Held
    },
    letAllGo: async (): Promise<void> => {
      await page.unroute(path)
      for (const { letGo } of held) letGo()
    },
  }
}
