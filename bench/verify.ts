import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeSandbox } from '../sandbox/remove-sandbox.fixture.ts'
import type { PoolView } from '../src/domain/views/pool.ts'
import { createApi } from '../test/service/api.ts'
import { openQuietSandbox } from '../test/swap/quiet-sandbox.ts'
import { runVerify } from '../test/verify/run-verify.ts'
import { serveIndexed } from '../test/verify/serve-indexed.ts'

/**
 * Measures `stockpools verify --all --tiers state` as a process of its own, against a node on this
 * machine: `npm run bench:verify -- [--pools 46000] [--requests 20]`. The rows are those of a
 * sandbox, again and again; each is checked by calls of its own.
 */

const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '46000' },
    requests: { type: 'string', default: '20' },
  },
})

type Answer = { readonly status: number; readonly text: string }

/** The list of pools with so many rows; everything else as the service answers it. */
const repeatRows = async (api: ReturnType<typeof createApi>, total: number) => {
  const rows = await api.readAll<PoolView>('/api/v1/pools')
  const answer = async (path: string): Promise<Answer> => {
    const { pathname, searchParams } = new URL(path, api.baseUrl)
    if (pathname !== '/api/v1/pools') return api.ask(path)
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))]
    const count = Math.min(limit, total - offset)
    const items = Array.from({ length: count }, (_, index) => rows[(offset + index) % rows.length])
    return { status: 200, text: JSON.stringify({ items, total, limit, offset }) }
  }
  const server = createServer(async ({ url = '' }, response) => {
    const { status, text } = await answer(url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, rows }
}

const directory = mkdtempSync(join(tmpdir(), 'stockpools-bench-verify-'))
const { sandbox, manifest, mineConfirmations } = await openQuietSandbox(directory)
await mineConfirmations()
const service = await serveIndexed(sandbox, { kind: 'sqlite', directory, block: 1 })
const { url, server, rows } = await repeatRows(createApi(service.url), Number(values.pools))
const begunMs = performance.now()
const { code, report, error } = await runVerify(directory, [
  ...['--all', '--tiers', 'state', '--json', '--requests', values.requests],
  ...['--rpc', manifest.urls.rpc, '--api', url, '--network', sandbox.networkFile],
])
const seconds = (performance.now() - begunMs) / 1000
server.close()
server.closeAllConnections()
await service.end()
await service.dispose()
await removeSandbox(sandbox, directory)
if (code !== 0 || report === null) throw new Error(`verify ended with ${code}: ${error}`)
const [state] = report.tiers
process.stdout.write(
  `${report.pools} rows of ${rows.length} pools, ${state?.equal} checks equal, ` +
    `${state?.unchecked} unchecked, ${values.requests} requests a second: ` +
    `${seconds.toFixed(1)} s\n`,
)
