import type { Page } from 'playwright-core'

/** What the browser itself has counted of a page so far. */
export const createMeter = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const read = async (name: string): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find((each) => each.name === name)?.value ?? 0
  }
  return {
    read,
    /** Bytes, nodes and listeners that are still there when all garbage is collected. */
    sizes: async () => {
      // What is let go in one collection may hold what only the next one finds.
      for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage')
      const [heap, nodes] = [await read('JSHeapUsedSize'), await read('Nodes')]
      return { heap, nodes, listeners: await read('JSEventListeners') }
    },
  }
}
