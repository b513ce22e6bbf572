import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ResourceUsage, runScript, startUsageMeter } from './child.ts'
import { openStore } from './indexing.ts'
import { loadNow } from './machine.ts'
import { fillForSizes, followForSizes } from './sizes/fill.ts'

/**
 * Measures the export of a day of swaps from SQLite to Parquet, as a process of its own, in turns
 * alone and while this process writes new blocks into the store as an indexer at the head does:
 * `npm run bench:export -- [--swaps 4000000] [--pools 2000] [--rounds 3] [--store FILE]`.
 * A store that is named is filled once and kept; following adds swaps behind the day.
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
const pools = Number(values.pools)
/** A day is finished when a block lies behind it. */
const days = 1.01
const swapsPerBlock = 5

const fill = async (): Promise<void> => {
  const store = openStore(path)
  const swaps = Math.ceil(Number(values.swaps) * days)
  await fillForSizes(store, { swaps, pools, days, ticksPerPool: 2 }, () => {})
  await store.close()
}

const rowsOf = (out: string): number => {
  const { files } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
    readonly files: readonly { readonly rows: number }[]
  }
  return files.reduce((sum, { rows }) => sum + rows, 0)
}

const exportOnce = async (): Promise<string> => {
  const out = join(folder, 'out')
  const args = ['--store', `sqlite:${path}`, '--out', out]
  const usage = await runScript<ResourceUsage>('./export-process.ts', args)
  const { seconds, cpuSeconds, rssPeakMb } = usage
  const rows = rowsOf(out)
  rmSync(out, { recursive: true })
  return (
    `${rows} rows: ${Math.round(rows / seconds)} a second, ` +
    `${Math.round(rows / cpuSeconds)} a processor second, max. ${Math.round(rssPeakMb)} MB`
  )
}

const exportBeside = async (): Promise<string> => {
  const store = openStore(path)
  const ending = new AbortController()
  const usage = startUsageMeter()
  const followed = followForSizes(store, { pools, swapsPerBlock }, ending.signal)
  const exported = await exportOnce().finally(() => ending.abort())
  const blocks = await followed
  const { seconds, cpuSeconds } = usage()
  await store.close()
  const rate = (blocks / seconds).toFixed(1)
  return `${exported}; indexer: ${rate} blocks a second, ${cpuSeconds.toFixed(1)} processor seconds`
}

const say = (text: string): void => {
  process.stdout.write(`${text}; load ${loadNow().toFixed(1)}\n`)
}

try {
  if (!existsSync(path)) await fill()
  for (let round = 1; round <= Number(values.rounds); round++) {
    say(`alone: ${await exportOnce()}`)
    say(`beside an indexer: ${await exportBeside()}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
