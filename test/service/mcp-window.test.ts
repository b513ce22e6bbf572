import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { createApi } from './api.ts'
import { baseUrl } from './shared.ts'

/* A model pays for every byte: what a tool answers to the least question is short. */

const bytesMax = 8192

const assistant = new Client({ name: 'assistant', version: '1.0.0' })
beforeAll(async () => {
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`))
  await assistant.connect(transport as Transport)
})
afterAll(() => assistant.close())

test('the default answer of every tool is below 8 KB and has its documented form', async () => {
  const { tools } = await assistant.listTools()
  const { items } = await createApi(baseUrl).read<{ items: PoolView[] }>('/api/v1/pools?limit=1')
  const [pool] = items
  const values: Record<string, string | undefined> = {
    ...{ id: pool?.id, symbol: pool?.stockSymbol, q: pool?.stockSymbol, side: 'buy', width: '1m' },
    addresses: `${pool?.token0},${pool?.token1}`,
  }
  for (const { name, inputSchema } of tools) {
    const required = inputSchema.required ?? []
    const isOrder = required.includes('side')
    const given = Object.fromEntries(required.map((each) => [each, values[each]]))
    // The client compares each answer with the tool's output schema.
    const { content, isError } = await assistant.callTool({
      name,
      arguments: { ...given, ...(isOrder ? { usd: 100 } : {}) },
    })
    const [{ text }] = content as [{ text: string }]
    expect([name, isError ?? false, text.slice(0, 1)]).toEqual([name, false, '{'])
    expect(Buffer.byteLength(text), name).toBeLessThan(bytesMax)
  }
})

test('all descriptions together are no burden either', async () => {
  const { tools } = await assistant.listTools()
  const shown = tools.map(({ outputSchema: _, ...tool }) => tool)
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(32_000)
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(96_000)
})
