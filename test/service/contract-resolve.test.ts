import { expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { ResolvedTokenView } from '../../src/domain/views/resolved-token.ts'
import { createApi, eventually } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const { tokens } = readManifest(sandboxDir)
const stocks = tokens.filter(({ role }) => role === 'stock')
const resolve = (q: string): Promise<ResolvedTokenView> =>
  api.read<ResolvedTokenView>(`/api/v1/resolve?q=${encodeURIComponent(q)}`)

test('every ticker is that of its registered stock, whatever imitates it', async () => {
  for (const { symbol, address } of stocks) {
    for (const q of [symbol, `$${symbol.toLowerCase()}`, address]) {
      const { result, token } = await resolve(q)
      expect([q, result, token?.address]).toEqual([q, 'verified', address])
    }
  }
})

test('the fakes of the chain are look-alikes, and their pools say so', async () => {
  const fakes = tokens.filter(({ role }) => role === 'fake')
  expect(fakes.length).toBeGreaterThan(0)
  for (const { address } of fakes) {
    // Names of tokens are read after their pools.
    const { result, token, asked, candidates } = await eventually(
      () => resolve(address),
      (answer) => answer.asked !== null && answer.asked.symbol !== null,
    )
    expect([result, token, asked?.address]).toEqual(['look_alike', null, address])
    const real = candidates[0]?.symbol ?? ''
    const pools = await api.readAll<PoolView>('/api/v1/pools')
    const pool = pools.find(({ otherAddress }) => otherAddress === address)
    expect(pool?.otherImitates).toBe(real)
    const { lookAlikes } = await resolve(real)
    expect(lookAlikes.map((each) => each.address)).toContain(address)
  }
})
