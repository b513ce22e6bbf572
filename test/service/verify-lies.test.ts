import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseNetworkFile } from '../../src/config/network-file.ts'
import { methodologyVersion } from '../../src/domain/methodology.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { systemTimer } from '../../src/net/timer.ts'
import { createPace } from '../../src/verify/node/pace.ts'
import { createBlocks } from '../../src/verify/run/blocks.ts'
import { verifyService } from '../../src/verify/run/verify-service.ts'
import { createAskService } from '../../src/verify/service/ask-service.ts'
import { createServiceReader } from '../../src/verify/service/service-reader.ts'
import { type Check, exitCodeOf } from '../../src/verify/tier.ts'
import { createVerifierNode } from '../../src/verify/verifier-node.ts'
import { createPatientHttpClient } from '../support/net/loopback.ts'
import { liesOfNode } from '../verify/lies-of-node.ts'
import { liesOfService } from '../verify/lies-of-service.ts'
import { startLyingNode } from '../verify/lying-node.ts'
import { startLyingService } from '../verify/lying-service.ts'
import { createApi } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'

/*
 * A service and a node that lie, as servers in front of the real ones: every single lie is found,
 * and named by the tier that must find it.
 */

const { urls } = readManifest(sandboxDir)
const file = parseNetworkFile(readFileSync(join(sandboxDir, 'network.json'), 'utf8'), sandboxDir)
if (!file.ok) throw new Error(file.fault)
const { venues } = file.value.network

/** A pool of each version with swaps, reserves from its ticks and a reference with a multiplier. */
const pools = (await createApi(baseUrl).readAll<PoolView>('/api/v1/pools')).filter(
  (pool) => pool.kind === 'canonical' && pool.swaps24h > 10 && pool.reserveSource === 'ticks',
)
const poolOf = (version: string) => pools.find((pool) => pool.version === version) as PoolView

const verify = async (
  { id }: PoolView,
  { rpc = urls.rpc, api = baseUrl }: { readonly rpc?: string; readonly api?: string },
): Promise<readonly Check[]> => {
  const httpClient = createPatientHttpClient()
  const timer = systemTimer
  const node = createVerifierNode({
    ...{ url: rpc, httpClient, timer, requestsPerSecond: 2000, batchMax: 100 },
  })
  const ask = createAskService({ url: api, httpClient, timer, pace: createPace(timer, 2000) })
  const result = await verifyService(
    {
      ...{ node, service: createServiceReader(ask), blocks: createBlocks(node), block: null },
      venues,
      standardOf: null,
      tiers: new Set(['state', 'proof', 'logs', 'numbers']),
      version: methodologyVersion,
      random: () => 0,
      onProgress: () => {},
    },
    { kind: 'pools', ids: [id] },
  )
  return result.ok ? result.value.checks : []
}

const foundBy = (checks: readonly Check[], tier: string): readonly string[] =>
  checks
    .filter((check) => check.outcome === 'differs' && check.tier === tier)
    .map(({ field }) => field)

test('there are more than forty lies', () => {
  expect(liesOfService.length + liesOfNode.length).toBeGreaterThanOrEqual(40)
})

for (const version of ['v3', 'v4']) {
  test(`the truth about a ${version} pool passes`, async () => {
    const checks = await verify(poolOf(version), {})
    expect(checks.filter(({ outcome }) => outcome === 'differs')).toEqual([])
    expect(exitCodeOf(checks)).toBe(0)
  })

  test(`every lie of a service about a ${version} pool is found`, async () => {
    const missed: string[] = []
    for (const { name, tier, field, lie } of liesOfService) {
      const api = await startLyingService(baseUrl, lie)
      const checks = await verify(poolOf(version), { api })
      const found = foundBy(checks, tier)
      if (exitCodeOf(checks) !== 1 || !found.some((each) => field.test(each))) {
        missed.push(`${name}: ${tier} found ${found.join(', ') || 'nothing'}`)
      }
    }
    expect(missed).toEqual([])
  })

  test(`every lie of a node about a ${version} pool is found`, async () => {
    const missed: string[] = []
    for (const { name, tier, field, lie } of liesOfNode) {
      const node = await startLyingNode(urls.rpc)
      node.lie(lie)
      const checks = await verify(poolOf(version), { rpc: node.url })
      const found = foundBy(checks, tier)
      if (exitCodeOf(checks) !== 1 || !found.some((each) => field.test(each))) {
        missed.push(`${name}: ${tier} found ${found.join(', ') || 'nothing'}`)
      }
    }
    expect(missed).toEqual([])
  })
}
