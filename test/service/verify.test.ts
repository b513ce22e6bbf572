import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { methodologyVersion } from '../../src/domain/methodology.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { serve } from '../support/net/loopback.ts'
import { refuseWith, startLyingNode, withhold } from '../verify/lying-node.ts'
import { startLyingService } from '../verify/lying-service.ts'
import { runVerify } from '../verify/run-verify.ts'
import { createApi } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'

/*
 * The command as a user runs it, against the service and the node of the sandbox.
 */

const directory = mkdtempSync(join(tmpdir(), 'stockpools-verify-command-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const api = createApi(baseUrl)
const { urls } = readManifest(sandboxDir)
const network = join(sandboxDir, 'network.json')
const [pool] = await api.readAll<PoolView>('/api/v1/pools')
const id = pool?.id ?? ''

const verify = (args: readonly string[], { rpc = urls.rpc, url = baseUrl } = {}) =>
  runVerify(directory, ['--rpc', rpc, '--api', url, '--network', network, ...args])

describe('the sandbox as it is', () => {
  test('holds for every pool in every tier', async () => {
    const { code, report } = await verify(['--all', '--json', '--requests', '1000'])
    expect([report?.checks.filter(({ outcome }) => outcome === 'differs'), code]).toEqual([[], 0])
    expect(report?.pools).toBeGreaterThan(50)
    expect(report?.faults).toEqual([])
    for (const { tier, equal } of report?.tiers ?? []) {
      expect([tier, equal > 3 * (report?.pools ?? 0)]).toEqual([tier, true])
    }
  })

  test('holds by pages, by a sample and in a table', async () => {
    const pages = await verify(['--all', '--tiers', 'state,proof', '--requests', '1000'])
    expect([pages.code, pages.output]).toEqual([0, expect.stringContaining('✓ proof')])
    const sample = await verify(['--sample', '3', '--json', '--requests', '1000'])
    expect([sample.code, sample.report?.pools]).toEqual([0, 3])
    const table = await verify([id])
    expect(table.code).toBe(0)
    expect(table.output).toContain('✓ numbers  stockPriceInOther')
    expect(table.output).toContain('Everything that could be checked holds.')
  })
})

describe('more than the newest record', () => {
  test('the logs since their creation make price, ticks and swaps of pools', async () => {
    const some = (await api.readAll<PoolView>('/api/v1/pools'))
      .filter(({ swaps24h }) => swaps24h > 0)
      .slice(0, 12)
      .map((each) => each.id)
    const args = ['--tiers', 'state,numbers', '--deep', '--json', '--requests', '1000']
    const { code, report } = await verify([...some, ...args])
    expect([report?.checks.filter(({ outcome }) => outcome === 'differs'), code]).toEqual([[], 0])
    const history = report?.tiers.find(({ tier }) => tier === 'history')
    expect(history?.equal).toBeGreaterThanOrEqual(3 * some.length)
    expect(history?.unchecked).toBe(0)
  })

  test('a store is checked without a service', async () => {
    const store = `sqlite:${join(sandboxDir, '..', 'sandbox.db')}`
    const args = ['--store', store, '--rpc', urls.rpc, '--network', network, '--json', id]
    const { code, report, error } = await runVerify(directory, args)
    expect([code, error, report?.pools]).toEqual([0, expect.anything(), 1])
    const file = ['--store', 'sqlite:none.db', '--rpc', urls.rpc, '--network', network, id]
    expect(await runVerify(directory, file)).toMatchObject({ code: 2 })
  })
})

describe('what cannot run', () => {
  const said = async (given: ReturnType<typeof verify>) => {
    const { code, error, report } = await given
    return { code, text: error + (report?.faults.join() ?? '') }
  }

  test('a pool that the service does not know', async () => {
    const unknown = `0x${'12'.repeat(20)}`
    expect(await said(verify([unknown, '--json']))).toEqual({
      code: 2,
      text: expect.stringContaining(`the service knows no pool ${unknown}`),
    })
  })

  test('a node of another chain, no node, no service', async () => {
    const other = await startLyingNode(urls.rpc)
    other.lie(({ method }) => (method === 'eth_chainId' ? '0x1' : undefined))
    expect(await said(verify([id], { rpc: other.url }))).toEqual({
      code: 2,
      text: expect.stringContaining('the node is on chain 1, the service on chain 466300'),
    })
    const { url } = await serve((_, response) => {
      response.writeHead(404).end('{}')
    })
    const none = await said(verify([id], { url }))
    expect(none).toEqual({ code: 2, text: expect.stringContaining('HTTP 404') })
  })

  test('a node without proofs, receipts or old states leaves tiers unchecked', async () => {
    const poor = await startLyingNode(urls.rpc)
    poor.lie(({ method }) =>
      ['eth_getProof', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'].includes(method)
        ? withhold
        : undefined,
    )
    const { code, report } = await verify([id, '--json'], { rpc: poor.url })
    expect(code).toBe(0)
    const reasons = new Set(report?.checks.map(({ reason }) => reason))
    expect(reasons).toContain('the node has no eth_getProof')
    expect(reasons).toContain('the node has no eth_getBlockReceipts')
    const tiers = Object.fromEntries(report?.tiers.map((each) => [each.tier, each]) ?? [])
    expect(tiers.state).toMatchObject({ differs: 0, unchecked: 0 })
    expect(tiers.proof).toMatchObject({ differs: 0 })
  })

  test('a node without receipts of a block is asked for each receipt', async () => {
    const poor = await startLyingNode(urls.rpc)
    poor.lie(({ method }) => (method === 'eth_getBlockReceipts' ? withhold : undefined))
    const { code, report } = await verify([id, '--json', '--tiers', 'logs'], { rpc: poor.url })
    expect([code, report?.checks.filter(({ outcome }) => outcome !== 'equal')]).toEqual([0, []])
  })

  test.each(['missing trie node 3fd1 (path )', 'state 0x9a1f is not available'])(
    'a node that has forgotten the state: %s',
    async (message) => {
      const forgetful = await startLyingNode(urls.rpc)
      const isOfState = (method: string) => ['eth_call', 'eth_getProof'].includes(method)
      forgetful.lie(({ method }) => (isOfState(method) ? refuseWith(message) : undefined))
      const { code, report } = await verify([id, '--json'], { rpc: forgetful.url })
      expect([code, report?.checks.filter(({ outcome }) => outcome === 'differs')]).toEqual([0, []])
      for (const tier of ['state', 'proof']) {
        const price = report?.checks.find((each) => each.tier === tier && each.field === 'tick')
        const reason = expect.stringMatching(/^the node keeps no state of block \d+$/)
        expect(price).toMatchObject({ outcome: 'unchecked', reason })
      }
      const nothing = await verify([id, '--block', '1', '--tiers', 'state'], { rpc: forgetful.url })
      expect(nothing.code).toBe(2)
    },
  )

  test('a service of another version of the methodology', async () => {
    const url = await startLyingService(baseUrl, (part, body) =>
      part === 'health' ? { ...body, methodologyVersion: '9.0.0' } : undefined,
    )
    const { code, report } = await verify([id, '--json'], { url })
    const own = `this program by ${methodologyVersion}`
    const reason = `the service computes by methodology 9.0.0, ${own}`
    const numbers = report?.checks.filter(({ tier }) => tier === 'numbers')
    expect([code, numbers]).toMatchObject([
      0,
      [{ field: 'all numbers', outcome: 'unchecked', reason }],
    ])
    const alone = await verify([id, '--tiers', 'numbers'], { url })
    expect([alone.code, alone.output]).toEqual([2, expect.stringContaining(reason)])
  })

  test('no service, or no node, at its address', async () => {
    const nowhere = 'http://127.0.0.1:9'
    const [noService, noNode] = await Promise.all([
      said(verify([id], { url: nowhere })),
      said(verify([id], { rpc: nowhere })),
    ])
    const text = (sentence: string) => expect.stringContaining(sentence)
    expect(noService).toEqual({ code: 2, text: text('127.0.0.1:9 does not answer') })
    expect(noNode).toEqual({ code: 2, text: text('the node does not answer eth_chainId') })
  })

  test('stores that are none', async () => {
    writeFileSync(join(directory, 'text.db'), 'This is no store. '.repeat(100))
    writeFileSync(join(directory, 'empty.db'), '')
    const cases: readonly (readonly [string, string])[] = [
      [`sqlite:${directory}`, 'is a folder, not a file'],
      ['sqlite:text.db', 'store text.db is not a SQLite database'],
      ['sqlite:empty.db', 'store empty.db is not ready'],
      ['sqlite:none.db', 'store none.db cannot be opened (does it exist'],
      ['postgres://reader@127.0.0.1:9/none', 'store 127.0.0.1:9 cannot be reached'],
      ['mysql:x', '--store: expected sqlite:<path>'],
    ]
    for (const [store, text] of cases) {
      const args = ['--store', store, '--rpc', urls.rpc, '--network', network, id]
      const { code, error, output } = await runVerify(directory, args)
      expect([store, code, error, output]).toEqual([store, 2, expect.stringContaining(text), ''])
      expect(error.trim().split('\n')).toHaveLength(1)
    }
  })

  test('arguments that say nothing, or too much', async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'expected pools, --all or --sample, one of the three'],
      [['--all', id], 'expected pools, --all or --sample, one of the three'],
      [['0x12'], 'expected addresses of v3 pools or ids of v4 pools, got "0x12"'],
      [['--all', '--tiers', 'state,truth'], '--tiers: expected state, proof, logs, numbers'],
      [['--sample', '0'], '--sample: expected an integer from 1'],
      [['--all', '--all'], '--all: given twice'],
      [[id, '--block', '--json'], '--block: expected a value'],
      [[id, '--store', 'sqlite:x.db'], 'expected --api or --store, one of the two'],
    ]
    for (const [args, text] of cases) {
      const { code, error } = await verify(args)
      expect([args, code, error]).toEqual([args, 2, expect.stringContaining(text)])
    }
  })
})
