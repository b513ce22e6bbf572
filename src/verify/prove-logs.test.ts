import { keccak256, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hash, Hex } from '../domain/units.ts'
import type { ProvenHeader } from './prove-header.ts'
import { isWithoutLog, proveLogs } from './prove-logs.ts'

const word = (value: number): Hash => `0x${value.toString(16).padStart(64, '0')}`
const address = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`
const emptyBloom: Hex = `0x${'00'.repeat(256)}`

const headerWith = (receiptsRoot: Hash, logsBloom = emptyBloom): ProvenHeader => ({
  block: 7,
  hash: word(0xb10c),
  parentHash: word(0xb10b),
  ts: 1_700_000_000,
  stateRoot: word(0x57a7e),
  receiptsRoot,
  logsBloom,
})

/** A log as `eth_getBlockReceipts` returns it. */
const logOf = (logIndex: number) => ({
  address: address(0xfee),
  topics: [word(1), word(2)],
  data: '0xabcdef',
  blockNumber: '0x7',
  blockHash: word(0xb10c),
  transactionHash: word(0x700),
  transactionIndex: '0x0',
  logIndex: `0x${logIndex.toString(16)}`,
  removed: false,
})

/** A receipt with that log. */
const receiptOf = (type: Hex) => ({
  type,
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logs: [logOf(0)],
  blockNumber: '0x7',
  blockHash: word(0xb10c),
  transactionHash: word(0x700),
  transactionIndex: '0x0',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  from: address(1),
  to: address(2),
  contractAddress: null,
})

const bitsOf = (value: Hex): readonly number[] => {
  const hash = keccak256(value).slice(2)
  return [0, 4, 8].map((at) => Number.parseInt(hash.slice(at, at + 4), 16) % 2048)
}

const bloomWith = (values: readonly Hex[]): Hex => {
  const bits = new Set(values.flatMap(bitsOf))
  const digits = [...bits].reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n).toString(16)
  return `0x${digits.padStart(512, '0')}`
}

const bloom = bloomWith([address(0xfee), word(1), word(2)])

/**
 * The root of a trie with one receipt is the keccak of its only node: the path of `rlp(0)` = 0x80,
 * marked as an even leaf by 0x20, and the receipt.
 */
const rootOfOne = (type: Hex, last: readonly Hex[] = []): Hash => {
  const log: [Hex, Hex[], Hex] = [address(0xfee), [word(1), word(2)], '0xabcdef']
  const list = toRlp(['0x01', '0x5208', bloom, [log], ...last])
  const receipt: Hex = type === '0x0' ? list : `0x${type.slice(2).padStart(2, '0')}${list.slice(2)}`
  return keccak256(toRlp(['0x2080', receipt]))
}

describe('types of receipts', () => {
  it.each([
    '0x0',
    '0x1',
    '0x2',
    '0x3',
    '0x4',
    '0x64',
    '0x65',
    '0x66',
    '0x68',
    '0x69',
    '0x6a',
  ] as const)('%s is encoded by its own specification', async (type) => {
    const proven = await proveLogs(headerWith(rootOfOne(type)), [receiptOf(type)])
    expect(proven).toMatchObject({ ok: true, value: [{ logIndex: 0, data: '0xabcdef' }] })
  })

  it('0x7e has the nonce and version of the deposit from Canyon on', async () => {
    const deposit = { ...receiptOf('0x7e'), depositNonce: '0x5' }
    const canyon = { ...deposit, depositReceiptVersion: '0x1' }
    const before = headerWith(rootOfOne('0x7e'))
    const after = headerWith(rootOfOne('0x7e', ['0x05', '0x01']))
    expect((await proveLogs(before, [deposit])).ok).toBe(true)
    expect((await proveLogs(after, [canyon])).ok).toBe(true)
    expect((await proveLogs(before, [canyon])).ok).toBe(false)
    expect((await proveLogs(after, [deposit])).ok).toBe(false)
    const cut = { ...canyon, depositNonce: undefined }
    expect(await proveLogs(after, [cut])).toMatchObject({ fault: { kind: 'malformed' } })
  })

  it.each(['0x5', '0x67', '0x78', '0x7d', '0xff'] as const)('%s is not supported', async (type) => {
    expect(await proveLogs(headerWith(word(1)), [receiptOf(type)])).toEqual({
      ok: false,
      fault: { kind: 'unsupported', reason: `receipt type ${type} not supported: tier skipped` },
    })
  })
})

/** Other values for a member: one of the same form, and some that no node may send. */
const othersOf = (value: unknown): readonly unknown[] => {
  const text = typeof value === 'string' ? value : '0x'
  const nudged = `${text.slice(0, -1)}${text.at(-1) === '3' ? '4' : '3'}`
  return [nudged, '0x3', '0x1234', 'none', null, undefined, 9, [], {}].filter(
    (other) => other !== value,
  )
}

describe('alterations', () => {
  const second = { ...receiptOf('0x2'), transactionHash: word(0x701), transactionIndex: '0x1' }
  const two = [
    receiptOf('0x2'),
    {
      ...second,
      logs: [{ ...logOf(1), transactionHash: word(0x701), transactionIndex: '0x1' }],
    },
  ]
  /** The root as proved once; all that follows alters the receipts of it. */
  const provenHeader = async (): Promise<ProvenHeader> => {
    const result = await proveLogs(headerWith(word(0)), two)
    const reason = result.ok ? '' : result.fault.reason
    return headerWith((/hash to (0x[0-9a-f]{64})/.exec(reason)?.[1] ?? '0x') as Hash)
  }

  it('of any member of a receipt are refused, or change nothing that is proved', async () => {
    const header = await provenHeader()
    const truth = await proveLogs(header, two)
    expect(truth).toMatchObject({ ok: true, value: [{ logIndex: 0 }, { logIndex: 1 }] })
    const receipt = two[1] as Record<string, unknown>
    const harmless: string[] = []
    for (const [name, value] of Object.entries(receipt)) {
      for (const other of othersOf(value)) {
        const result = await proveLogs(header, [two[0], { ...receipt, [name]: other }])
        if (result.ok) harmless.push(name)
        if (result.ok) expect(result).toEqual(truth)
      }
    }
    expect([...new Set(harmless)].sort()).toEqual([
      'blockHash',
      'blockNumber',
      'contractAddress',
      'effectiveGasPrice',
      'from',
      'gasUsed',
      'to',
      'transactionIndex',
    ])
  })

  it('of any member of a log are refused, or change nothing that is proved', async () => {
    const header = await provenHeader()
    const truth = await proveLogs(header, two)
    const receipt = two[1] as ReturnType<typeof receiptOf>
    const log = receipt.logs[0] as Record<string, unknown>
    for (const [name, value] of Object.entries(log)) {
      for (const other of othersOf(value)) {
        const altered = { ...receipt, logs: [{ ...log, [name]: other }] }
        const result = await proveLogs(header, [two[0], altered])
        if (result.ok) expect(result).toEqual(truth)
        const isProved = ['address', 'topics', 'data'].includes(name)
        if (isProved) expect(result.ok).toBe(false)
      }
    }
  })

  it('a stated place that is not the own one is refused', async () => {
    const header = await provenHeader()
    const [first, last] = two as [ReturnType<typeof receiptOf>, ReturnType<typeof receiptOf>]
    const places = { transactionIndex: '0x0', blockNumber: '0x8', blockHash: word(1) }
    for (const [name, value] of Object.entries(places)) {
      const onReceipt = await proveLogs(header, [first, { ...last, [name]: value }])
      expect(onReceipt).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
      const logs = last.logs.map((log) => ({ ...log, [name]: value }))
      const onLog = await proveLogs(header, [first, { ...last, logs }])
      expect(onLog).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
    }
    const moved = { ...last, logs: last.logs.map((log) => ({ ...log, logIndex: '0x0' })) }
    expect((await proveLogs(header, [first, moved])).ok).toBe(false)
  })

  it('logs dropped, doubled or moved to another receipt are refused', async () => {
    const header = await provenHeader()
    const [first, last] = two as [ReturnType<typeof receiptOf>, ReturnType<typeof receiptOf>]
    const lists = [
      [first, { ...last, logs: [] }],
      [
        { ...first, logs: [...first.logs, logOf(1)] },
        { ...last, logs: [] },
      ],
      [first, { ...last, logs: [...last.logs, ...last.logs] }],
      [last, first],
      [first],
      [first, last, last],
    ]
    for (const list of lists) expect((await proveLogs(header, list)).ok).toBe(false)
    for (const answer of [null, undefined, 'none', {}, [null], ['0x']]) {
      expect(await proveLogs(header, answer)).toMatchObject({ fault: { kind: 'malformed' } })
    }
  })

  it('a logsBloom that is not that of the logs is refused', async () => {
    const header = headerWith(rootOfOne('0x2'))
    const stated = (logsBloom: Hex) => proveLogs(header, [{ ...receiptOf('0x2'), logsBloom }])
    expect((await stated(bloom)).ok).toBe(true)
    expect(await stated(emptyBloom)).toMatchObject({ fault: { kind: 'mismatch' } })
  })
})

describe('absence of logs', () => {
  it('is proved by the bloom of the header, presence is not', () => {
    const header = headerWith(word(1), bloom)
    expect(isWithoutLog(header, [address(0xfee)])).toBe(false)
    expect(isWithoutLog(header, [address(0xfee), word(1)])).toBe(false)
    expect(isWithoutLog(header, [address(0xfee), word(3)])).toBe(true)
    expect(isWithoutLog(header, [address(0xbad)])).toBe(true)
    expect(isWithoutLog(headerWith(word(1)), [address(0xfee)])).toBe(true)
  })

  it('agrees with a bloom computed by its specification, for many values', () => {
    const values = Array.from({ length: 300 }, (_, i) => word(i * i + 1))
    const held = values.slice(0, 40)
    const header = headerWith(word(1), bloomWith(held))
    for (const value of held) expect(isWithoutLog(header, [value])).toBe(false)
    const absent = values.slice(40).filter((value) => isWithoutLog(header, [value]))
    expect(absent.length).toBeGreaterThan(200)
  })
})
