import { describe, expect, test } from 'vitest'
import type { SwapLists } from '../../src/domain/provenance/recompute.ts'
import type { HistoryPage, PastSwapView } from '../../src/domain/views/history.ts'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import type { PoolProvenanceView } from '../../src/domain/views/provenance.ts'
import { checkNumbers, toSwapAmounts } from '../../src/verify/check-numbers.ts'
import { createApi } from './api.ts'
import { createChain, readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const pools = await api.readAll<PoolView>('/api/v1/pools')

/** Row and provenance of one block and the same quotes; null if the pool has moved. */
const readTogether = async ({ id }: PoolView) => {
  const path = `/api/v1/pools/${id}`
  const before = await api.read<PoolDetailView>(`${path}?range=24h`)
  const provenance = await api.read<PoolProvenanceView>(`${path}/provenance`)
  const { pool } = await api.read<PoolDetailView>(`${path}?range=24h`)
  const isSame = JSON.stringify(before.pool) === JSON.stringify(pool)
  return isSame && provenance.asOfBlock === pool.asOfBlock ? { pool, provenance } : null
}

/** The lists that the inputs of kind `request` name, page by page. */
const readSwapLists = async ({ fields }: PoolProvenanceView): Promise<SwapLists> => {
  const lists: Record<string, readonly (bigint | null)[]> = {}
  for (const { name, source } of fields.flatMap(({ inputs }) => inputs)) {
    if (source.kind !== 'request' || name in lists) continue
    const items: PastSwapView[] = []
    for (let next: string | null = ''; next !== null; ) {
      const cursor: string = next === '' ? '' : `&cursor=${next}`
      const page: HistoryPage<PastSwapView> = await api.read(`${source.path}&limit=1000${cursor}`)
      items.push(...page.items)
      next = page.next
    }
    lists[name] = toSwapAmounts(items)
  }
  return lists
}

describe('the provenance of every pool', () => {
  test('gives every number of the row to the last digit', async () => {
    const compared = new Set<string>()
    // The test's own limit ends this: a pool that has moved is tried again in the next round.
    while (compared.size < pools.length) {
      for (const listed of pools.filter(({ id }) => !compared.has(id))) {
        const found = await readTogether(listed)
        if (found === null) continue
        const { pool, provenance } = found
        const checks = checkNumbers(pool, provenance, await readSwapLists(provenance))
        const differing = checks.filter(({ outcome }) => outcome !== 'equal')
        expect(differing, listed.id).toEqual([])
        compared.add(listed.id)
      }
    }
    expect([...compared].sort()).toEqual(pools.map(({ id }) => id).sort())
    console.log(`provenance: ${compared.size} of ${pools.length} pools compared`)
  })

  test('names calls that the chain answers with the inputs', { timeout: 60_000 }, async () => {
    const chain = createChain(readManifest(sandboxDir))
    let asked = 0
    for (const { id } of pools) {
      const { fields } = await api.read<PoolProvenanceView>(`/api/v1/pools/${id}/provenance`)
      const price = fields.find(({ field }) => field === 'sqrtPriceX96')
      const [input] = price?.inputs ?? []
      if (input?.source.kind !== 'read' || input.value === null) continue
      const { to, data, block } = input.source
      const answer = await chain.request<string>('eth_call', [
        { to, data },
        `0x${(block ?? 0).toString(16)}`,
      ])
      expect(BigInt(answer.slice(0, 66)), id).toBe(BigInt(input.value))
      asked += 1
    }
    expect(asked).toBeGreaterThan(pools.length / 2)
  })

  test('says what is missing where a number is null', async () => {
    for (const { id } of pools.filter((row) => row.premiumBps === null)) {
      const { fields } = await api.read<PoolProvenanceView>(`/api/v1/pools/${id}/provenance`)
      for (const { value, reason, field } of fields) {
        expect([id, field, reason === null]).toEqual([id, field, value !== null])
      }
    }
  })
})
