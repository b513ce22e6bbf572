import { describe, expect, it } from 'vitest'
import { readHeader } from '../../src/rpc/header.ts'
import { asFastParsedLogs, createResponseParser } from '../../src/rpc/json-rpc.ts'
import { parseLog } from '../../src/rpc/parse-log.ts'
import { validateLogs } from '../../src/rpc/validate-logs.ts'
import { readData } from './read-data.ts'

type RawLog = {
  name: string
  blockNumber: string
  logIndex: string
  blockTimestamp?: string
  address: string
}
type Recorded = { headers: readonly Record<string, unknown>[]; logs: readonly RawLog[] }

const { headers, logs } = readData<Recorded>('rpc-answers')

describe('headers as nodes answer them', () => {
  it.each([
    ['Ethereum', 0, 18_000_000, 1_693_066_895],
    // Nitro adds l1BlockNumber, sendCount and sendRoot: the number is the L2 block's all the same.
    ['Arbitrum One', 1, 150_000_000, 1_699_878_679],
  ])('%s', (_, index, block, ts) => {
    const json = headers[index]
    expect(readHeader({ ok: true, value: json }, block)).toEqual({
      ok: true,
      value: { block, hash: json?.hash, parentHash: json?.parentHash, ts },
    })
    expect(readHeader({ ok: true, value: json }, block + 1)).toMatchObject({ ok: false })
  })
})

describe('logs as nodes answer them', () => {
  it.each(logs.map((log) => [log.name, log] as const))('%s', (_, log) => {
    const parsed = parseLog(log)
    if (!parsed.ok) throw new Error(parsed.fault)
    const { log: parsedLog, isRemoved } = parsed.value
    const { block, logIndex, address, ts } = parsedLog
    expect({ block, logIndex, address, isRemoved }).toEqual({
      block: Number(log.blockNumber),
      logIndex: Number(log.logIndex),
      address: log.address,
      isRemoved: false,
    })
    // Not every node states the block's time; where one did not, it is not known.
    expect(ts).toBe(Number(log.blockTimestamp ?? 0))
    const range = { from: block, to: block }
    expect(validateLogs([log], range, { topics: [] })).toEqual({ ok: true, value: [parsedLog] })
  })

  it('are read from the bytes as from JSON', () => {
    const bare = logs.map(({ name: _, ...log }) => log)
    const json = createResponseParser()([Buffer.from(JSON.stringify({ id: 1, result: bare }))])
    const { result } = (json.ok ? json.value : {}) as { result: readonly unknown[] }
    const expected = bare.map(parseLog).map((parsed) => (parsed.ok ? parsed.value.log : parsed))
    expect(asFastParsedLogs(result)).toEqual(expected)
  })

  it('state the time of their block, as its header does', () => {
    const stated = logs.slice(0, 2).map(({ blockTimestamp }) => blockTimestamp)
    expect(stated).toEqual([headers[1]?.timestamp, headers[0]?.timestamp])
  })

  it('a time of 0x0, as chain 4663 answered in September 2026, is no time', () => {
    const parsed = parseLog({ ...logs[0], blockTimestamp: '0x0' })
    expect(parsed).toMatchObject({ ok: true, value: { log: { ts: 0 } } })
  })
})
