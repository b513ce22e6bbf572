import { describe, expect, it } from 'vitest'
import type { Hash, Hex } from '../../src/domain/units.ts'
import { type ProvenHeader, proveHeader } from '../../src/verify/prove-header.ts'
import { isWithoutLog, proveLogs } from '../../src/verify/prove-logs.ts'
import { proveState } from '../../src/verify/prove-state.ts'
import { readData } from './read-data.ts'

/*
 * Real headers hash to their block hash, and the receipts trie of real blocks has the root of their
 * header. Every alteration of one field is refused.
 */

type Fields = Readonly<Record<string, unknown>>
type Header = Fields & { readonly hash: Hash; readonly number: Hex }
type Log = { readonly address: Hex; readonly topics: readonly Hash[]; readonly data: Hex }
type Receipt = Fields & { readonly logs: readonly Log[] }
type Block = {
  readonly name: string
  readonly header: Header
  readonly receipts: readonly (Fields & { readonly logs?: readonly Log[] })[]
  /** Another recording that holds the logs. */
  readonly logsOf?: string
}
type Recorded = {
  readonly headers: readonly { readonly name: string; readonly header: Header }[]
  readonly blocks: readonly Block[]
  readonly roots: readonly {
    readonly name: string
    readonly receiptsRoot: Hash
    readonly receipts: readonly Receipt[]
  }[]
  /** An account's balance and one word of its storage. */
  readonly state: {
    readonly block: number
    readonly address: Hex
    readonly slot: Hash
    readonly balance: Hex
    readonly word: Hash
    readonly answer: {
      readonly accountProof: readonly Hex[]
      readonly storageProof: readonly [{ readonly proof: readonly Hex[] }]
    }
  }
}
type RecordedLogs = { readonly logs: readonly (Log & { readonly txIndex: number })[] }

const recorded = readData<Recorded>('proven-blocks')

const receiptsOf = ({ receipts, logsOf }: Block): readonly Receipt[] => {
  const logs = logsOf === undefined ? [] : readData<RecordedLogs>(logsOf).logs
  return receipts.map((receipt, index) => ({
    ...receipt,
    logs:
      receipt.logs ??
      logs
        .filter(({ txIndex }) => txIndex === index)
        .map(({ address, topics, data }) => ({ address, topics, data })),
  }))
}

const proven = ({ header }: { readonly header: Header }): ProvenHeader => {
  const result = proveHeader(header, header.hash)
  if (!result.ok) throw new Error(result.fault.reason)
  return result.value
}

/** Another value of the same form. */
const altered = (value: unknown): unknown => {
  if (typeof value !== 'string') return [...(value as readonly unknown[]), 'more']
  const last = value.at(-1) === '1' ? '2' : '1'
  return value.length > '0x'.length ? `${value.slice(0, -1)}${last}` : '0x01'
}

const headers = [...recorded.headers, ...recorded.blocks]

describe.each(headers.map((each) => [each.name, each] as const))('%s', (_, { header }) => {
  it('has a header that hashes to its hash', () => {
    const { hash, number, stateRoot, receiptsRoot, logsBloom, timestamp } = header
    expect(proveHeader(header, hash)).toEqual({
      ok: true,
      value: {
        block: Number(number),
        hash,
        parentHash: header.parentHash,
        ts: Number(timestamp),
        stateRoot,
        receiptsRoot,
        logsBloom,
      },
    })
  })

  it('is refused with any field altered, empty or absent', () => {
    const names = Object.keys(header).filter((name) => name !== 'hash')
    expect(names.length).toBeGreaterThanOrEqual(15)
    for (const name of names) {
      const changed = proveHeader({ ...header, [name]: altered(header[name]) }, header.hash)
      expect(changed).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
      for (const value of ['', '0x', 'none', null, undefined, 7]) {
        if (value === header[name]) continue
        expect(proveHeader({ ...header, [name]: value }, header.hash).ok).toBe(false)
      }
    }
  })

  it('is refused with a field of a later fork', () => {
    for (const name of ['baseFeePerGas', 'withdrawalsRoot', 'requestsHash', 'slotNumber']) {
      if (header[name] !== undefined) continue
      expect(proveHeader({ ...header, [name]: '0x1' }, header.hash).ok).toBe(false)
    }
  })
})

describe.each(recorded.blocks.map((each) => [each.name, each] as const))('%s', (_, block) => {
  const receipts = receiptsOf(block)
  const header = proven(block)

  it('has the receipts of its receiptsRoot, so all of its logs are known', async () => {
    const logs = receipts.flatMap(({ transactionHash, logs }, transactionIndex) =>
      logs.map((log) => ({ ...log, transactionIndex, statedTransactionHash: transactionHash })),
    )
    expect(await proveLogs(header, receipts)).toEqual({
      ok: true,
      value: logs.map((log, logIndex) => ({ ...log, logIndex })),
    })
  })

  it('has a bloom that excludes none of its logs, and most others', () => {
    for (const { address, topics } of receipts.flatMap(({ logs }) => logs)) {
      expect(isWithoutLog(header, [address, ...topics])).toBe(false)
    }
    const others = Array.from({ length: 100 }, (_, i): Hex => `0x${String(i).padStart(64, '7')}`)
    const excluded = others.filter((topic) => isWithoutLog(header, [topic]))
    expect(excluded.length).toBeGreaterThan(50)
  })

  it('is refused with a receipt dropped, doubled or moved', async () => {
    const [first, ...others] = receipts
    const lists = [others, [first, ...receipts], receipts.slice(0, -1), []]
    if (others.length > 0) lists.push([...others, first])
    for (const list of lists) {
      const result = await proveLogs(header, list)
      expect(result).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
    }
  })
})

describe.each(recorded.roots.map((each) => [each.name, each] as const))('%s', (_, each) => {
  it('has the receipts of its receiptsRoot', async () => {
    const { receiptsRoot, receipts } = each
    const header: ProvenHeader = {
      block: 1,
      hash: `0x${'11'.repeat(32)}`,
      parentHash: `0x${'22'.repeat(32)}`,
      ts: 1,
      stateRoot: `0x${'33'.repeat(32)}`,
      receiptsRoot,
      logsBloom: `0x${'00'.repeat(256)}`,
    }
    expect((await proveLogs(header, receipts)).ok).toBe(true)
    const reordered = await proveLogs(header, [...receipts].reverse())
    expect(reordered).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
  })
})

describe('state that another client proved', () => {
  const { block, address, slot, balance, word, answer } = recorded.state
  const { accountProof, storageProof } = answer
  const [{ proof }] = storageProof
  const of = recorded.blocks.find(({ header }) => Number(header.number) === block) as Block
  const header = proven(of)
  const prove = (evidence: unknown, slots = [slot]) =>
    proveState(header, { address, slots }, evidence)

  it('is proved under the stateRoot of its header', async () => {
    expect(await prove(answer)).toEqual({
      ok: true,
      value: { balance: BigInt(balance), exists: true, words: [word] },
    })
  })

  it('is refused with any node cut, changed or in place of another', async () => {
    const cuts = (nodes: readonly Hex[]) =>
      nodes.flatMap((node, index) => [
        nodes.toSpliced(index, 1),
        nodes.with(index, altered(node) as Hex),
        nodes.with(index, nodes[(index + 1) % nodes.length] as Hex),
      ])
    const lies = [
      ...cuts(accountProof).map((nodes) => ({ ...answer, accountProof: nodes })),
      ...cuts(proof).map((nodes) => ({ ...answer, storageProof: [{ proof: nodes }] })),
      { ...answer, accountProof: proof },
      { ...answer, storageProof: [{ proof: accountProof }] },
    ].filter((lie) => JSON.stringify(lie) !== JSON.stringify(answer))
    expect(lies.length).toBeGreaterThan(8)
    for (const lie of lies) expect((await prove(lie)).ok).toBe(false)
    const other: Hash = `0x${'11'.repeat(32)}`
    const result = await prove(answer, [other])
    if (result.ok) expect(result.value.words).toEqual([`0x${'00'.repeat(32)}`])
  })

  it('is refused in any other form', async () => {
    const forms = [null, 'none', [], {}, { accountProof }, { ...answer, storageProof: [] }]
    const nodes = ['', '0x', '0x1', 'none', null, 5, {}]
    const lies = [
      ...forms,
      ...nodes.map((node) => ({ ...answer, accountProof: [node] })),
      ...nodes.map((node) => ({ ...answer, storageProof: [{ proof: [node] }] })),
      { ...answer, accountProof: Array.from({ length: 67 }, () => accountProof[0]) },
      { ...answer, storageProof: [null] },
    ]
    for (const lie of lies) {
      expect(await prove(lie)).toMatchObject({ ok: false })
    }
  })
})
