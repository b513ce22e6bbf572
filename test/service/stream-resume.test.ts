import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { StreamEvent } from '../../src/client/types.ts'
import type { Running } from '../setup/processes.ts'
import { eventually, sleep } from './api.ts'
import { clientOf, kill, launch, stop, writeNetworkFile } from './launch.ts'
import { openStored } from './numbers/stored.ts'
import { sandboxDir } from './shared.ts'

/* One subscriber, by the typed client, of a service that is ended and started again and again. */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-stream-'))
const network = writeNetworkFile(directory, sandboxDir)
const patience = { waitMs: 50, msMax: 120_000 }

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

let running: Running | null = null
const abort = new AbortController()
afterAll(async () => {
  abort.abort()
  if (running !== null) await kill(running)
  rmSync(directory, { recursive: true, force: true })
})

type SwapEvent = Extract<StreamEvent, { topic: 'swap' }>['data']

const keyOf = ({ block, logIndex, txHash }: Pick<SwapEvent, 'block' | 'logIndex' | 'txHash'>) =>
  `${block}:${logIndex} ${txHash}`

test('a subscriber gets every swap of the store once, however the service ends', async () => {
  const port = await freePort()
  const start = async (): Promise<Running> => {
    const args = ['start', '--network', network, '--store', 'sqlite:./sandbox.db']
    const serving = ['--port', String(port), '--rate-limit', '0', '--poll-ms', '50']
    const started = launch([...args, ...serving], { directory })
    running = started
    await clientOf(started)
    return started
  }
  let service = await start()
  // While the first pools are listed with their past, subscribers refetch.
  const api = createClient(`http://127.0.0.1:${port}`)
  await eventually(
    () => api.status(),
    ({ chain, sources }) =>
      chain.backfill.phase === 'done' && sources.every(({ state }) => state === 'ok'),
    patience,
  )
  let swaps: SwapEvent[] = []
  const resyncs: string[] = []
  const listen = async (): Promise<void> => {
    const client = createClient(`http://127.0.0.1:${port}`)
    for await (const event of client.stream({ topics: ['swap'], signal: abort.signal })) {
      if (event.topic === 'resync') resyncs.push(`${event.data.reason} after ${swaps.length} swaps`)
      if (event.topic === 'swap') swaps.push(event.data)
      if (event.topic !== 'rollback') continue
      const { afterBlock } = event.data
      swaps = swaps.filter(({ block }) => afterBlock !== null && block <= afterBlock)
    }
  }
  const listening = listen()
  const untilMore = async (): Promise<void> => {
    const before = swaps.length
    await eventually(
      async () => swaps.length,
      (count) => count >= before + 10,
      patience,
    )
  }
  await untilMore()
  // At once again, after a while, in order and not.
  for (const [end, awayMs] of [
    [kill, 0],
    [stop, 3000],
    [kill, 6000],
    [stop, 0],
  ] as const) {
    await end(service)
    await sleep(awayMs)
    service = await start()
    await untilMore()
  }
  const listed = new Set<string>()
  for await (const { id } of api.eachPool({})) listed.add(id)
  abort.abort()
  await listening
  expect(await stop(service)).toBe(0)
  expect(resyncs).toEqual([])

  const [first, last] = [swaps[0], swaps.at(-1)]
  if (first === undefined || last === undefined) throw new Error('no swaps')
  const stored = openStored(join(directory, 'sandbox'))
  const kept = stored.swaps(last.block).filter((swap) => {
    const isBefore =
      swap.block < first.block || (swap.block === first.block && swap.logIndex < first.logIndex)
    const isBehind = swap.block === last.block && swap.logIndex > last.logIndex
    return listed.has(swap.pool) && !isBefore && !isBehind
  })
  stored.close()
  expect(swaps.map(keyOf)).toEqual(kept.map(keyOf))
}, 600_000)
