import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../test/service/api.ts'
import { load } from '../api/load.ts'
import { startNode } from '../chain/start-node.ts'
import { costUnknown, type Sample } from '../figure.ts'
import type { BenchContext } from '../group.ts'
import { createNetworkFile } from '../live/network-file.ts'
import { startService } from '../live/service.ts'

/** Small, slow responses, so that the backfill lasts as long as the load. */
const slowNode = { latencyMs: 50, logsMax: 1000 }

type Status = { readonly chain: { readonly backfill: { readonly phase: string } } }

/** Measures the p99 of requests while the same process runs a backfill. */
export const measureUnderBackfill = async (
  context: BenchContext,
  path: string,
): Promise<Sample> => {
  const { directory, options, say } = context
  say('row 6: while a backfill runs')
  const node = await startNode({ params: options.chain, behavior: slowNode })
  const storePath = join(directory, 'backfill.sqlite')
  const service = await startService({
    directory,
    network: createNetworkFile(node.url),
    store: `sqlite:${storePath}`,
  })
  const { api } = service
  try {
    const hasPools = ({ text, status }: { readonly text: string; readonly status: number }) =>
      status === 200 && (JSON.parse(text) as { readonly total: number }).total > 0
    await eventually(() => api.ask(path), hasPools, { waitMs: 20, msMax: 180_000 })
    const { p99Ms, perSecond, failed } = await load(api.baseUrl, [path], options.seconds)
    if (failed > 0) throw new Error(`${failed} requests failed during the backfill`)
    const { chain } = await api.read<Status>('/api/v1/status')
    const isOver = chain.backfill.phase === 'done'
    return {
      row: 6,
      what: 'p99 while a backfill runs',
      value: p99Ms,
      unit: 'ms',
      limit: null,
      goal: { kind: 'at-most', of: 'value', bound: 20 },
      cost: costUnknown,
      remark:
        `${Math.round(perSecond).toLocaleString('en')} requests/s beside the backfill` +
        (isOver ? ', which ended before the load' : ''),
    }
  } finally {
    await service.end()
    await node.stop()
    for (const suffix of ['', '-wal', '-shm']) rmSync(storePath + suffix, { force: true })
  }
}
