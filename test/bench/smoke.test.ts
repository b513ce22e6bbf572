import { expect, test } from 'vitest'
import { defaultChainParams } from '../../bench/chain/params.ts'
import { createGroups } from '../../bench/groups.ts'
import { type BenchOptions, defaultOptions } from '../../bench/options.ts'
import { renderPlot } from '../../bench/plot.ts'
import type { GrowthPoint } from '../../bench/rows/growth.ts'
import { runBench } from '../../bench/run-bench.ts'
import { formatTable } from '../../bench/table.ts'

/** Every row, as small as it can be: what is measured must be right, however long it takes. */
const small: BenchOptions = {
  ...defaultOptions,
  repeat: 1,
  chain: { ...defaultChainParams, pools: 40, blocks: 300, events: 600 },
  pools: 60,
  seconds: 0.2,
  pastPages: 3,
  subscribers: 20,
  blocks: 2,
  storePools: 60,
  storeSwaps: 600,
  growth: [30],
}

const patienceMs = 600_000

test(
  'every row of the benchmark can be measured, and what it measures is right',
  async () => {
    const grown: (readonly GrowthPoint[])[] = []
    const report = await runBench(
      small,
      createGroups((points) => grown.push(points)),
      () => {},
    )
    const rows = new Set(report.figures.map(({ row }) => row))
    expect([...rows]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
    for (const { what, value } of report.figures) {
      expect(Number.isFinite(value), what).toBe(true)
    }
    expect(report.omissions).toEqual([])
    const table = formatTable({ ...report, changeOf: () => null })
    expect(table.split('\n').length).toBeGreaterThan(report.figures.length)
    expect(grown).toHaveLength(1)
    expect(renderPlot(grown[0] ?? [])).toContain('</svg>')
  },
  patienceMs,
)
