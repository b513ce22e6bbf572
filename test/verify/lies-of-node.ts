import type { JsonRecord } from '../../src/net/json.ts'
import type { Lie } from './lies-of-service.ts'
import type { Alter } from './lying-node.ts'

/** Another value of the same kind. */
const changed = (value: unknown): string => {
  const text = String(value)
  return `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
}

const ofHeader = (name: string): Lie<Alter> => ({
  name: `another ${name} of the header`,
  tier: 'proof',
  field: /^header$/,
  lie: ({ method }, result) =>
    method.startsWith('eth_getBlockBy')
      ? { ...(result as JsonRecord), [name]: changed((result as JsonRecord)[name]) }
      : undefined,
})

type Receipt = JsonRecord & { readonly logs: readonly JsonRecord[] }

const ofReceipts = (
  name: string,
  change: (receipts: readonly Receipt[]) => unknown,
): Lie<Alter> => ({
  name,
  tier: 'logs',
  field: /^(?:swaps|lastSwap|createdBlock)/,
  lie: ({ method }, result) =>
    method === 'eth_getBlockReceipts' ? change(result as readonly Receipt[]) : undefined,
})

/** Changes the logs of the first receipt that has any. */
const inLogs =
  (change: (logs: readonly JsonRecord[]) => unknown) =>
  (receipts: readonly Receipt[]): unknown => {
    const index = receipts.findIndex(({ logs }) => logs.length > 0)
    return receipts.map((each, i) => (i === index ? { ...each, logs: change(each.logs) } : each))
  }

type Proof = {
  readonly accountProof: readonly string[]
  readonly storageProof: readonly { readonly proof: readonly string[] }[]
}

const ofProof = (name: string, change: (proof: Proof) => unknown): Lie<Alter> => ({
  name,
  tier: 'proof',
  field: /^(?:sqrtPriceX96|ticks)$/,
  lie: ({ method }, result) => (method === 'eth_getProof' ? change(result as Proof) : undefined),
})

const lastChanged = (nodes: readonly string[]): readonly string[] =>
  nodes.length === 0 ? nodes : nodes.with(-1, changed(nodes.at(-1)))

export const liesOfNode: readonly Lie<Alter>[] = [
  ...['stateRoot', 'receiptsRoot', 'logsBloom', 'timestamp', 'parentHash', 'gasUsed'].map(ofHeader),
  {
    name: 'another hash of the block of this number',
    tier: 'state',
    field: /^block hash$/,
    lie: ({ method }, result) =>
      method === 'eth_getBlockByNumber'
        ? { ...(result as JsonRecord), hash: changed((result as JsonRecord).hash) }
        : undefined,
  },
  {
    name: 'another answer of every contract',
    tier: 'state',
    field: /^liquidity$/,
    lie: ({ method }, result) => (method === 'eth_call' ? changed(result) : undefined),
  },
  ofReceipts('receipts left out', (receipts) => receipts.slice(1)),
  ofReceipts('a receipt twice', (receipts) => [...receipts, ...receipts.slice(-1)]),
  ofReceipts('no receipts', () => []),
  ofReceipts('another status', ([first, ...others]) => [{ ...first, status: '0x0' }, ...others]),
  ofReceipts(
    'a log left out',
    inLogs((logs) => logs.slice(1)),
  ),
  ofReceipts(
    'logs in another order',
    inLogs((logs) => (logs.length > 1 ? [...logs].reverse() : [])),
  ),
  ofReceipts(
    'a log with other data',
    inLogs(([log, ...others]) => [{ ...log, data: changed(log?.data) }, ...others]),
  ),
  ofReceipts(
    'a log of another contract',
    inLogs(([log, ...others]) => [{ ...log, address: changed(log?.address) }, ...others]),
  ),
  ofProof('a changed storage word', (proof) => ({
    ...proof,
    storageProof: proof.storageProof.map((each) => ({ ...each, proof: lastChanged(each.proof) })),
  })),
  ofProof('a changed account', (proof) => ({
    ...proof,
    accountProof: lastChanged(proof.accountProof),
  })),
  ofProof('proofs of other slots', (proof) => ({
    ...proof,
    storageProof: [...proof.storageProof].reverse(),
  })),
  ofProof('a storage proof cut short', (proof) => ({
    ...proof,
    storageProof: proof.storageProof.map((each) => ({ ...each, proof: each.proof.slice(0, -1) })),
  })),
]
