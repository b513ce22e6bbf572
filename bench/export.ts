import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { type ResourceUsage, runScript } from './child.ts'
import { fillForSizes } from './sizes/fill.ts'

/**
 * Measures the export of a day of swaps from SQLite to Parquet, as a process of its own:
 * `npm run bench:export -- [--swaps 4000000] [--pools 2000] [--rounds 3] [--store FILE]`.
 * A store that is named is filled once and kept.
 */

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '4000000' },
    pools: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    store: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'stockpools-export-'))
const path = values.store ?? join(folder, 'store.db')
/** A day is finished when a block lies behind it. */
const days = 1.01

const fill = async (): Promise<void> => {
  const store = createSqliteStore({ path })
  if (!store.ok) throw new Error(store.fault)
  const [swaps, pools] = [Math.ceil(Number(values.swaps) * days), Number(values.pools)]
  await fillForSizes(store.value, { swaps, pools, days, ticksPerPool: 2 }, () => {})
  await store.value.close()
}

const rowsOf = (out: string): number => {
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    readonly files: readonly { readonly rows: number }[]
  }
  return files.reduce((sum, { rows }) => sum + rows, 0)
}

try {
  if (!existsSync(path)) await fill()
  for (let round = 1; round <= Number(values.rounds); round++) {
    const out = join(folder, String(round))
    const args = ['--store', `sqlite:${path}`, '--out', out]
    const usage = await runScript<ResourceUsage>('./export-process.ts', args)
    const { seconds, cpuSeconds, rssPeakMb } = usage
    const rows = rowsOf(out)
    process.stdout.write(
      `${rows} rows: ${Math.round(rows / seconds)} a second, ` +
        `${Math.round(rows / cpuSeconds)} a processor second, max. ${Math.round(rssPeakMb)} MB\n`,
    )
    rmSync(out, { recursive: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
