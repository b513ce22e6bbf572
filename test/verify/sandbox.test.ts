import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../../sandbox/manifest.ts'
import { bundleCalls, createTrade } from '../../sandbox/market/calls.ts'
import type { OpenedSandbox } from '../../sandbox/open-sandbox.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from '../../src/domain/math/tick-math.ts'
import type { Address, Hash } from '../../src/domain/units.ts'
import type { JsonRecord } from '../../src/net/json.ts'
import { systemTimer } from '../../src/net/timer.ts'
import type { BlockEvidence } from '../../src/verify/block-evidence.ts'
import { checkBlock, type PublishedBlock } from '../../src/verify/check-block.ts'
import { checkLogs, type PublishedLogs } from '../../src/verify/check-logs.ts'
import { checkBalanceProofs, checkPoolProofs } from '../../src/verify/check-proof.ts'
import {
  balanceRead,
  checkPoolStates,
  checkReads,
  decimalsRead,
  multiplierRead,
  type PublishedPool,
} from '../../src/verify/check-state.ts'
import { proveState } from '../../src/verify/prove-state.ts'
import type { Check } from '../../src/verify/tier.ts'
import { createVerifierNode, type VerifierNode } from '../../src/verify/verifier-node.ts'
import { type Chain, createChain } from '../service/numbers/chain.ts'
import { createPatientHttpClient } from '../support/net/loopback.ts'
import { openQuietSandbox } from '../swap/quiet-sandbox.ts'
import { type Alter, startLyingNode, withhold } from './lying-node.ts'
import { publishedPools, publishedSwaps } from './published.ts'
import { runVerify } from './run-verify.ts'
import { serveIndexed, storeKinds } from './serve-indexed.ts'

/*
 * The tiers on the sandbox's chain, whose node computes real tries: what an honest service
 * publishes is proved, and neither a lying service nor a lying node gets through.
 */

type Recorded = {
  readonly at: PublishedBlock
  readonly raw: JsonRecord
  readonly evidence: BlockEvidence
  readonly pools: readonly PublishedPool[]
  readonly swaps: readonly PublishedLogs[]
}

let dataDir: string
let sandbox: OpenedSandbox | undefined
let manifest: Manifest
let chain: Chain
let node: VerifierNode
let recorded: readonly Recorded[]

const nodeAt = (url: string): VerifierNode =>
  createVerifierNode({
    url,
    httpClient: createPatientHttpClient(),
    timer: systemTimer,
    requestsPerSecond: 1000,
    batchMax: 100,
  })

const noAddress: Address = `0x${'0'.repeat(40)}`

/** A small swap in each pool that can trade, in one transaction for each version. */
const tradesOf = ({ pools, contracts }: Manifest, zeroForOne: boolean) =>
  (['v3', 'v4'] as const).map((version) =>
    bundleCalls(
      { contracts },
      pools
        .filter((pool) => pool.version === version)
        .map(({ id, token0, token1, fee, tickSpacing, hooks }) => {
          const key = { currency0: token0, currency1: token1, fee, tickSpacing }
          const pool = { id, key: { ...key, hooks: hooks ?? noAddress }, spec: { version } }
          const limit = zeroForOne ? sqrtPriceMinX96 + 1n : sqrtPriceMaxX96 - 1n
          const order = { zeroForOne, amount: -1000n, limit, recipient: contracts.router }
          return createTrade({ contracts }, pool, order)
        }),
    ),
  )

const record = async (block: number): Promise<Recorded> => {
  const raw = await node.readBlock(block)
  if (!raw.ok) throw new Error(raw.fault.reason)
  const at = { block, hash: raw.value.hash as Hash, ts: Number(raw.value.timestamp) }
  const { evidence, checks } = await checkBlock(node, at)
  if (evidence === null) throw new Error(JSON.stringify(checks))
  return {
    at,
    raw: raw.value,
    evidence,
    pools: await publishedPools(manifest, chain, block),
    swaps: await publishedSwaps(manifest, chain, block),
  }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'stockpools-verify-'))
  const quiet = await openQuietSandbox(dataDir)
  sandbox = quiet.sandbox
  manifest = quiet.manifest
  chain = createChain(manifest)
  node = nodeAt(manifest.urls.rpc)
  const blocks: number[] = []
  for (const zeroForOne of [true, false, true]) {
    await quiet.transact(tradesOf(manifest, zeroForOne))
    blocks.push(await chain.head())
  }
  // The node answers for its head from a state that may already hold the next block's changes.
  await quiet.mineConfirmations()
  recorded = []
  for (const block of blocks) recorded = [...recorded, await record(block)]
})

afterAll(() => removeSandbox(sandbox, dataDir))

/** The recorded block with most swaps. */
const busiest = (): Recorded => {
  const count = ({ swaps }: Recorded) => swaps.reduce((sum, { logs }) => sum + logs.length, 0)
  return [...recorded].sort((a, b) => count(b) - count(a))[0] as Recorded
}

const checkAllLogs = (evidence: BlockEvidence, swaps: readonly PublishedLogs[]) =>
  Promise.all(swaps.map((each) => checkLogs(evidence, each)))

const outcomesOf = (checks: readonly Check[]): readonly string[] => [
  ...new Set(checks.map(({ tier, outcome }) => `${tier} ${outcome}`)),
]

const reasonsOf = (checks: readonly Check[]): readonly (string | null)[] => [
  ...new Set(checks.map(({ reason }) => reason)),
]

describe('an honest service and an honest node', () => {
  it('every pool is equal in the tiers state, proof and logs at three blocks', async () => {
    expect(manifest.pools.length).toBeGreaterThan(50)
    expect(recorded).toHaveLength(3)
    for (const { at, evidence, pools, swaps } of recorded) {
      const block = await checkBlock(node, at)
      expect(outcomesOf(block.checks)).toEqual(['state equal', 'proof equal'])
      const states = await checkPoolStates(node, pools, at)
      expect(outcomesOf(states)).toEqual(['state equal'])
      const proofs = await checkPoolProofs(node, evidence.header, pools)
      expect(outcomesOf(proofs)).toEqual(['proof equal'])
      expect(outcomesOf(await checkAllLogs(evidence, swaps))).toEqual(['logs equal'])
      expect(states).toHaveLength(3 * pools.length)
      expect(proofs).toHaveLength(3 * pools.length)
    }
  })

  it('decimals, multipliers and balances are read, and balances proved', async () => {
    const { at, evidence } = busiest()
    const stocks = manifest.tokens.filter(({ role }) => role === 'stock')
    const tokens = manifest.tokens.flatMap(({ address, decimals }) =>
      decimals === null || BigInt(address) === 0n ? [] : [{ address, decimals }],
    )
    const reads = tokens.map(({ address, decimals }) => decimalsRead(address, decimals))
    expect(outcomesOf(await checkReads(node, reads, at))).toEqual(['state equal'])
    const wrong = await checkReads(node, [multiplierRead(stocks[0]?.address as Address, 3n)], at)
    expect(outcomesOf(wrong)).toEqual(['state differs'])
    const held = manifest.pools
      .filter(({ version }) => version === 'v3')
      .flatMap(({ id, token0, token1 }) => [token0, token1].map((token) => ({ token, owner: id })))
    const asked = await checkReads(
      node,
      held.map(({ token, owner }) => balanceRead(token, owner, 0n)),
      at,
    )
    const balances = held.map((each, index) => {
      const balance = BigInt(asked[index]?.proved ?? '0')
      return { ...each, published: balance, returned: balance }
    })
    const proved = await checkBalanceProofs(node, evidence.header, balances)
    expect(proved.filter(({ outcome }) => outcome === 'equal').length).toBeGreaterThan(50)
    expect(proved.filter(({ outcome }) => outcome === 'differs')).toEqual([])
    const first = balances.find(({ returned }) => returned > 0n) as (typeof balances)[number]
    const oneOff = { ...first, published: first.published + 1n }
    const unknown = { ...first, returned: first.returned + 1n }
    const checks = await checkBalanceProofs(node, evidence.header, [oneOff, unknown])
    expect(checks.map(({ outcome }) => outcome)).toEqual(['differs', 'unchecked'])
    expect(checks[1]?.reason).toBe('where the token stores its balances is not known here')
  })

  it('absence is proved: an account that is not there, a storage word that is zero', async () => {
    const { at, evidence } = busiest()
    const absent = { address: `0x${'5a'.repeat(20)}`, slots: [`0x${'11'.repeat(32)}`] } as const
    const v3 = manifest.pools.find(({ version }) => version === 'v3')
    const empty = { address: v3?.id as Address, slots: [`0x${'11'.repeat(32)}`] } as const
    const [first, second] = await node.readProofs([absent, empty], at)
    const zero = `0x${'00'.repeat(32)}`
    expect(await proveState(evidence.header, absent, first?.ok && first.value)).toEqual({
      ok: true,
      value: { balance: 0n, exists: false, words: [zero] },
    })
    const proven = await proveState(evidence.header, empty, second?.ok && second.value)
    expect(proven).toMatchObject({ ok: true, value: { exists: true, words: [zero] } })
    const exchanged = await proveState(evidence.header, absent, second?.ok && second.value)
    expect(exchanged).toMatchObject({ ok: false, fault: { kind: 'mismatch' } })
  })
})

/** Of a pool that is not, both words are zero. */
const isInitialized = ({ sqrtPriceX96 }: PublishedPool): boolean => sqrtPriceX96 !== '0'

/** One digit more or less. */
const nudged = (text: string): string => String(BigInt(text) + 1n)

describe('a lying service', () => {
  it('one digit of any number of any pool is found by both tiers', async () => {
    const { at, evidence, pools: all } = busiest()
    const pools = all.filter(isInitialized)
    const lies = pools.flatMap((pool) => [
      { ...pool, sqrtPriceX96: nudged(pool.sqrtPriceX96 ?? '0') },
      { ...pool, tick: (pool.tick ?? 0) + 1 },
      { ...pool, liquidity: nudged(pool.liquidity ?? '0') },
      { ...pool, liquidity: null, sqrtPriceX96: null, tick: null },
    ])
    const checks = [
      await checkPoolStates(node, lies, at),
      await checkPoolProofs(node, evidence.header, lies),
    ]
    for (const tier of checks) {
      const found = tier.filter(({ outcome }) => outcome === 'differs')
      // Each lie differs in one field, the last one in all three.
      expect(found).toHaveLength((3 + 3) * pools.length)
    }
  })

  it('swaps left out, added, exchanged or of another transaction are found', async () => {
    const { evidence, swaps } = busiest()
    const busy = swaps.find(({ logs }) => logs.length > 0) as PublishedLogs
    const [first, ...others] = busy.logs
    const other = {
      logIndex: first?.logIndex ?? 0,
      transactionHash: `0x${'11'.repeat(32)}`,
    } as const
    const lies = [
      others,
      [...busy.logs, other],
      [other, ...others],
      busy.logs.map((log) => ({ ...log, logIndex: log.logIndex + 1 })),
    ]
    for (const logs of lies) {
      expect(await checkLogs(evidence, { ...busy, logs })).toMatchObject({ outcome: 'differs' })
    }
    const quiet = swaps.find(({ logs }) => logs.length === 0) as PublishedLogs
    const invented = await checkLogs(evidence, { ...quiet, logs: [other] })
    expect(invented).toMatchObject({ outcome: 'differs', proved: 'none' })
  })

  it('another hash, number or time of its block is found', async () => {
    const { at } = busiest()
    const lies = [
      { ...at, block: at.block + 1 },
      { ...at, ts: (at.ts ?? 0) + 1 },
      { ...at, hash: recorded.find((other) => other.at.block !== at.block)?.at.hash as Hash },
    ]
    for (const lie of lies) {
      expect(outcomesOf((await checkBlock(node, lie)).checks)).toContain(
        lie.ts === at.ts ? 'state differs' : 'proof differs',
      )
    }
    const unknown = await checkBlock(node, { ...at, hash: `0x${'11'.repeat(32)}` })
    expect(unknown.evidence).toBe(null)
    expect(unknown.checks.map(({ outcome }) => outcome)).toEqual(['differs', 'unchecked'])
  })
})

const algebraPools = () =>
  new Set<string>(
    manifest.pools.filter(({ protocol }) => protocol === 'algebra-integral').map(({ id }) => id),
  )

/** Neither a swap nor the creation of a pool of Algebra says what other logs have set. */
const isUnlogged = ({
  subject,
  field,
  outcome,
}: Pick<Check, 'subject' | 'field' | 'outcome'>): boolean =>
  outcome === 'unchecked' &&
  ['lastSwapFee', 'tickSpacing'].includes(field) &&
  algebraPools().has(subject)

describe('the command on an index of the same chain', () => {
  const verifyAll = async (args: readonly string[]): Promise<void> => {
    const { networkFile } = sandbox as OpenedSandbox
    const node = ['--rpc', manifest.urls.rpc, '--network', networkFile, '--requests', '1000']
    const { code, report } = await runVerify(dataDir, [
      ...['--all', '--deep', '--json', ...node],
      ...args,
    ])
    // Only checks that are not equal are listed.
    const checks = report?.checks.filter((check) => !isUnlogged(check))
    expect([checks, report?.faults, code]).toEqual([[], [], 0])
    // Others hold no verified stock.
    expect(report?.pools).toBeGreaterThan(50)
    expect(report?.tiers).toHaveLength(5)
    for (const { tier, equal } of report?.tiers ?? []) {
      expect([tier, equal > 3 * (report?.pools ?? 0)]).toEqual([tier, true])
    }
  }

  /** T1 checks both stores at three blocks, `npm test` one at a past, one at the last block. */
  const isDeep = process.env.TEST_TIER === 'T1'

  it.each(storeKinds)('every pool is equal in every tier at past blocks: %s', async (kind) => {
    const last = recorded.at(-1)?.at.block ?? 0
    const service = await serveIndexed(sandbox as OpenedSandbox, {
      ...{ kind, directory: dataDir, block: last },
    })
    // At the first of them a pool has no record yet, since it is traded in the second one only.
    const isPast = isDeep || kind === 'sqlite'
    for (const { at } of isPast ? recorded.slice(1, isDeep ? 3 : 2) : []) {
      await verifyAll(['--api', service.url, '--block', String(at.block)])
    }
    await service.end()
    if (isDeep || kind === 'postgres') await verifyAll(['--store', service.store])
    await service.dispose()
  })
})

/** Another value of the same kind. */
const changed = (value: unknown): unknown => {
  if (typeof value !== 'string') return [`0x${'11'.repeat(32)}`]
  const last = value.at(-1) === '1' ? '2' : '1'
  return value.length > '0x'.length ? `${value.slice(0, -1)}${last}` : '0x01'
}

/** The real node behind one that lies so. */
const liar = async (alter: Alter): Promise<VerifierNode> => {
  const lying = await startLyingNode(manifest.urls.rpc)
  lying.lie(alter)
  return nodeAt(lying.url)
}

const otherMembers = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']

describe('a lying node', () => {
  it('any field of a header is found', async () => {
    const { at, raw } = busiest()
    const names = Object.keys(raw).filter((name) => !otherMembers.includes(name))
    expect(names.length).toBeGreaterThan(19)
    for (const name of names) {
      const lying = await liar(({ method }, result) =>
        method.startsWith('eth_getBlockBy')
          ? { ...(result as object), [name]: changed(raw[name]) }
          : undefined,
      )
      const { evidence, checks } = await checkBlock(lying, at)
      // The hash itself is not a field: the fields still lead to the published one.
      expect(evidence === null).toBe(name !== 'hash')
      expect(checks.some(({ outcome }) => outcome === 'differs')).toBe(true)
    }
  })

  it('any member of any receipt is found, or changes nothing that is proved', async () => {
    const { at, evidence, swaps } = busiest()
    const busy = swaps.filter(({ logs }) => logs.length > 0)
    const truth = await evidence.logs()
    const receipts = await chain.request<readonly JsonRecord[]>('eth_getBlockReceipts', [at.hash])
    const harmless = new Set<string>()
    for (const [index, receipt] of receipts.entries()) {
      for (const name of Object.keys(receipt)) {
        const lying = await liar(({ method }, result) =>
          method === 'eth_getBlockReceipts'
            ? (result as readonly JsonRecord[]).with(index, {
                ...receipt,
                [name]: changed(receipt[name]),
              })
            : undefined,
        )
        const seen = (await checkBlock(lying, at)).evidence as BlockEvidence
        const logs = await seen.logs()
        if (!logs.ok) continue
        if (name !== 'transactionHash') expect(logs).toEqual(truth)
        harmless.add(name)
        const isFound = outcomesOf(await checkAllLogs(seen, busy)).includes('logs differs')
        if (name === 'transactionHash') expect(isFound).toBe(false)
      }
    }
    for (const name of ['status', 'cumulativeGasUsed', 'logs', 'logsBloom', 'type']) {
      expect(harmless).not.toContain(name)
    }
  })

  it('receipts dropped, doubled or reordered, and logs dropped or changed, are found', async () => {
    const { at, swaps } = busiest()
    const busy = swaps.filter(({ logs }) => logs.length > 0)
    type Receipts = readonly { readonly logs: readonly JsonRecord[] }[]
    const logsOf = (receipts: Receipts, change: (logs: readonly JsonRecord[]) => unknown) => {
      const index = receipts.findIndex(({ logs }) => logs.length > 0)
      return receipts.map((each, i) => (i === index ? { ...each, logs: change(each.logs) } : each))
    }
    const lies: readonly ((receipts: Receipts) => unknown)[] = [
      (receipts) => receipts.slice(1),
      (receipts) => receipts.slice(0, -1),
      (receipts) => [...receipts, ...receipts.slice(-1)],
      (receipts) =>
        [...receipts].reverse().concat(receipts.slice(0, receipts.length === 1 ? 1 : 0)),
      (receipts) => logsOf(receipts, (logs) => logs.slice(1)),
      (receipts) => logsOf(receipts, (logs) => [...logs, ...logs.slice(-1)]),
      (receipts) =>
        logsOf(receipts, ([log, ...rest]) => [{ ...log, data: changed(log?.data) }, ...rest]),
      (receipts) =>
        logsOf(receipts, ([log, ...rest]) => [{ ...log, address: changed(log?.address) }, ...rest]),
      (receipts) => logsOf(receipts, ([log, ...rest]) => [{ ...log, topics: [] }, ...rest]),
      () => [],
    ]
    for (const lie of lies) {
      const lying = await liar(({ method }, result) =>
        method === 'eth_getBlockReceipts' ? lie(result as Receipts) : undefined,
      )
      const seen = (await checkBlock(lying, at)).evidence as BlockEvidence
      expect(outcomesOf(await checkAllLogs(seen, busy))).toEqual(['logs differs'])
    }
  })

  it('another result of a call is found by the state tier, and the proof tier stands', async () => {
    const { at, evidence, pools } = busiest()
    const lying = await liar(({ method }, result) =>
      method === 'eth_call' ? changed(result) : undefined,
    )
    const states = await checkPoolStates(lying, pools, at)
    const foundPools = new Set(states.filter((c) => c.outcome !== 'equal').map((c) => c.subject))
    expect(foundPools.size).toBe(pools.length)
    expect(outcomesOf(await checkPoolProofs(lying, evidence.header, pools))).toEqual([
      'proof equal',
    ])
  })

  it('proofs cut, changed or exchanged are found, and nothing else is read', async () => {
    const { evidence, pools: all } = busiest()
    const pools = all.filter(isInitialized)
    type Proof = {
      readonly accountProof: readonly string[]
      readonly storageProof: readonly { readonly proof: readonly string[] }[]
    }
    const storage = (proof: Proof, change: (nodes: readonly string[]) => readonly string[]) => ({
      ...proof,
      storageProof: proof.storageProof.map((each) => ({ ...each, proof: change(each.proof) })),
    })
    const account = (proof: Proof, change: (nodes: readonly string[]) => readonly string[]) => ({
      ...proof,
      accountProof: change(proof.accountProof),
    })
    const cuts: readonly ((nodes: readonly string[]) => readonly string[])[] = [
      (nodes) => nodes.slice(0, -1),
      (nodes) => nodes.slice(1),
      () => [],
      (nodes) => nodes.with(-1, changed(nodes.at(-1)) as string),
      (nodes) => nodes.with(0, changed(nodes[0]) as string),
      (nodes) =>
        [...nodes]
          .reverse()
          .concat(nodes.length === 1 ? nodes : [])
          .slice(1),
    ]
    const lies = cuts.flatMap((cut) => [
      (proof: Proof) => storage(proof, cut),
      (proof: Proof) => account(proof, cut),
    ])
    for (const lie of [
      ...lies,
      (proof: Proof) => ({ ...proof, storageProof: [...proof.storageProof].reverse() }),
    ]) {
      const lying = await liar(({ method }, result) =>
        method === 'eth_getProof' ? lie(result as Proof) : undefined,
      )
      const checks = await checkPoolProofs(lying, evidence.header, pools)
      const found = new Set(checks.filter((c) => c.outcome === 'differs').map((c) => c.subject))
      expect(found.size).toBe(pools.length)
    }
    const boasting = await liar(({ method }, result) =>
      method === 'eth_getProof'
        ? {
            ...(result as Proof),
            ...{ balance: '0x1', nonce: '0x9', storageHash: `0x${'11'.repeat(32)}` },
            storageProof: (result as Proof).storageProof.map((each) => ({ ...each, value: '0x1' })),
          }
        : undefined,
    )
    expect(outcomesOf(await checkPoolProofs(boasting, evidence.header, pools))).toEqual([
      'proof equal',
    ])
  })
})

describe('a node that cannot answer', () => {
  it('without eth_getProof: the proof tier says so', async () => {
    const { evidence, pools } = busiest()
    const poor = await liar(({ method }) => (method === 'eth_getProof' ? withhold : undefined))
    const checks = await checkPoolProofs(poor, evidence.header, pools)
    expect(outcomesOf(checks)).toEqual(['proof unchecked'])
    expect(reasonsOf(checks)).toEqual(['the node has no eth_getProof'])
  })

  it('without eth_getBlockReceipts: each receipt is read; without both, it is said', async () => {
    const { at, swaps } = busiest()
    const busy = swaps.filter(({ logs }) => logs.length > 0)
    const lacking = async (methods: readonly string[]) => {
      const poor = await liar(({ method }) => (methods.includes(method) ? withhold : undefined))
      const { evidence } = await checkBlock(poor, at)
      return checkAllLogs(evidence as BlockEvidence, busy)
    }
    expect(outcomesOf(await lacking(['eth_getBlockReceipts']))).toEqual(['logs equal'])
    const checks = await lacking(['eth_getBlockReceipts', 'eth_getTransactionReceipt'])
    expect(outcomesOf(checks)).toEqual(['logs unchecked'])
    expect(reasonsOf(checks)).toEqual(['the node has no eth_getBlockReceipts'])
  })

  it('that keeps the state no longer, or is on another chain', async () => {
    const old = busiest()
    await chain.request('anvil_mine', ['0xfa', '0x0'])
    const reason = `the node keeps no state of block ${old.at.block}`
    const states = await checkPoolStates(node, old.pools, old.at)
    const proofs = await checkPoolProofs(node, old.evidence.header, old.pools)
    expect(outcomesOf([...states, ...proofs])).toEqual(['state unchecked', 'proof unchecked'])
    expect(reasonsOf([...states, ...proofs])).toEqual([reason])
    expect(outcomesOf((await checkBlock(node, old.at)).checks)).toEqual([
      'state equal',
      'proof equal',
    ])
    expect(await node.requireChain(manifest.chainId)).toEqual({ ok: true, value: manifest.chainId })
    expect(await node.requireChain(1)).toEqual({
      ok: false,
      fault: {
        kind: 'wrong-chain',
        reason: `the node is on chain ${manifest.chainId}, the service on chain 1`,
      },
    })
  })
})
