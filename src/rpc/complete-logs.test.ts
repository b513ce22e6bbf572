import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJournal } from '../../test/support/indexer/journal.ts'
import {
  type FakeNode,
  logOf,
  pool,
  startFakeNode,
  topic,
  word,
} from '../../test/support/rpc/fake-node.ts'
import { createTestReader, logsOf } from '../../test/support/rpc/reader.ts'
import type { ChainLog } from '../domain/chain/log.ts'
import { createSingleEndpointWarning } from '../indexer/scan/cross-check.ts'
import { createLogScan } from '../indexer/scan/log-scan.ts'
import { describeCuts } from './log-limit.ts'

const all = { topics: [] }
const cutWarning = 'RPC endpoint cuts log responses without an error, smaller ranges are read'

/** So many logs, spread evenly over the blocks. */
const spread = (logs: number, { from, to }: { from: number; to: number }) =>
  Array.from({ length: logs }, (_, i) =>
    logOf(from + Math.floor((i * (to - from + 1)) / logs), i % 1000),
  )

const start = async (given: Partial<FakeNode>) =>
  Object.assign(await startFakeNode(), { head: 1_000_000 }, given)

const logCalls = (node: FakeNode): number =>
  node.calls().filter(({ method }) => method === 'eth_getLogs').length

/** Scans all blocks as a bootstrap does, and returns the logs that it found. */
const scanAll = async (nodes: readonly FakeNode[], range: { from: number; to: number }) => {
  const { reader, lines } = createTestReader(nodes.map(({ url }) => url))
  const found: ChainLog[] = []
  const onSingleEndpoint = createSingleEndpointWarning(createJournal().logger)
  const scan = createLogScan(
    { filters: [all], range, times: false, onLogs: (logs) => found.push(...logs) },
    { chain: reader, onSingleEndpoint },
  )
  for (let step = 0; !scan.isComplete(); step++) {
    const fault = await scan.step()
    if (fault !== null || step > 500) throw new Error(fault?.detail ?? 'the scan does not end')
  }
  return { found, lines, reader }
}

const keysOf = (logs: readonly ChainLog[]) =>
  new Set(logs.map(({ block, logIndex }) => `${block}:${logIndex}`))

describe('a provider that cuts its answers without a word', () => {
  const range = { from: 1, to: 90_000 }

  it('at 10,000 logs loses none of 25,000 pools', async () => {
    const node = await start({ logs: spread(25_000, range), logsMax: 10_000 })
    const { found, lines, reader } = await scanAll([node], range)
    expect(keysOf(found).size).toBe(25_000)
    expect(found).toHaveLength(25_000)
    expect(lines.filter((line) => line.includes(cutWarning))).toHaveLength(1)
    expect(reader.endpoints()).toMatchObject([{ logsCutAt: 10_000 }])
    const { host } = new URL(node.url)
    const warning = `${host} cuts log responses at 10000 without an error: smaller ranges are read`
    expect(describeCuts(reader.endpoints())).toBe(warning)
  }, 60_000)

  it.each([1000, 1024, 3333, 100])(
    'at %i loses nothing',
    async (logsMax) => {
      const node = await start({ logs: spread(5000, range), logsMax })
      const { found } = await scanAll([node], range)
      expect(keysOf(found).size).toBe(5000)
    },
    60_000,
  )

  it('both of two such endpoints', async () => {
    const logs = spread(5000, range)
    const nodes = [await start({ logs, logsMax: 1000 }), await start({ logs, logsMax: 2000 })]
    const { found } = await scanAll(nodes, range)
    expect(keysOf(found).size).toBe(5000)
  }, 60_000)

  it('in one busy block is asked by parts of the filter', async () => {
    const topics = Array.from({ length: 8 }, (_, i) => word(0x70 + i))
    const logs = Array.from({ length: 3000 }, (_, i) => logOf(7, i, { topics: [topics[i % 8]] }))
    const node = await start({})
    node.answer = ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { topics: wanted } = params[0] as { topics: readonly (readonly string[])[] }
      const matching = logs.filter((log) => wanted[0]?.includes((log.topics as string[])[0] ?? ''))
      return { result: matching.slice(0, 1000) }
    }
    const { reader } = createTestReader([node.url])
    const read = await logsOf(reader, { from: 7, to: 7 }, { addresses: [pool], topics: [topics] })
    expect(read.ok && read.value).toHaveLength(3000)
    expect(read.ok && read.value.every((log, i) => log.logIndex === i)).toBe(true)
  })

  it('in one block that cannot be asked in parts is believed, with a warning', async () => {
    const logs = Array.from({ length: 3000 }, (_, i) => logOf(7, i))
    const node = await start({ logs, logsMax: 1000 })
    const { reader, lines } = createTestReader([node.url])
    const filter = { addresses: [pool], topics: [[topic]] }
    const read = await logsOf(reader, { from: 7, to: 7 }, filter)
    expect(read.ok && read.value).toHaveLength(1000)
    await logsOf(reader, { from: 7, to: 7 }, filter)
    const warning = 'Logs of one block may be cut and cannot be read in parts'
    expect(lines.filter((line) => line.includes(warning))).toHaveLength(1)
  })

  it('wherever it cuts and however the logs lie, nothing is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 1500 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 100, maxLength: 1200 }),
        async (logsMax, blocks) => {
          const sorted = [...blocks].sort((a, b) => a - b)
          const node = await start({ logs: sorted.map((block, i) => logOf(block, i)), logsMax })
          const { found } = await scanAll([node], { from: 1, to: 400 })
          expect(found).toHaveLength(blocks.length)
        },
      ),
      { numRuns: 20, seed: 1 },
    )
  }, 120_000)
})

describe('an honest endpoint', () => {
  const range = { from: 1, to: 1000 }

  it('whose answer is round is asked three times, and believed', async () => {
    const node = await start({ logs: spread(2000, range) })
    const { reader, lines } = createTestReader([node.url])
    const read = await logsOf(reader, range, all)
    expect(read.ok && read.value).toHaveLength(2000)
    expect(logCalls(node)).toBe(3)
    expect(lines).toEqual([])
  })

  it('is asked once where the answer is smaller than one that was complete', async () => {
    const node = await start({ logs: spread(1999, range) })
    const { reader } = createTestReader([node.url])
    await logsOf(reader, range, all)
    const before = logCalls(node)
    await logsOf(reader, { from: 1, to: 900 }, all)
    expect(logCalls(node) - before).toBe(1)
  })

  it('is asked again for a drawn tenth of the long ranges', async () => {
    const node = await start({ logs: spread(20, range) })
    const draws = [0.2, 0.95, 0.5]
    const { reader } = createTestReader([node.url], { random: () => draws.shift() ?? 0 })
    const counts: number[] = []
    for (let read = 0; read < 3; read++) {
      const before = logCalls(node)
      await logsOf(reader, range, all)
      counts.push(logCalls(node) - before)
    }
    expect(counts).toEqual([1, 3, 1])
  })

  it('that omitted a log by chance is not believed, and not known to cut', async () => {
    const node = await start({ logs: spread(20, range) })
    let asked = 0
    node.answer = ({ method }) =>
      method === 'eth_getLogs' && asked++ === 0 ? { result: node.logs.slice(1) } : undefined
    const { reader } = createTestReader([node.url], { random: () => 0.95 })
    expect(await logsOf(reader, range, all)).toMatchObject({ fault: { kind: 'malformed' } })
    expect(reader.endpoints()).toMatchObject([{ logsCutAt: null }])
    expect(await logsOf(reader, range, all)).toMatchObject({ ok: true })
  })

  it('that grew is no longer known to cut', async () => {
    const node = await start({ logs: spread(3000, range), logsMax: 1000 })
    const { reader } = createTestReader([node.url])
    expect(await logsOf(reader, range, all)).toMatchObject({ fault: { kind: 'range-too-large' } })
    expect(reader.endpoints()).toMatchObject([{ logsCutAt: 1000 }])
    node.logsMax = 10_000
    expect(await logsOf(reader, range, all)).toMatchObject({ ok: true })
    expect(reader.endpoints()).toMatchObject([{ logsCutAt: null }])
  })
})
