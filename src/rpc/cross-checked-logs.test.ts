import { describe, expect, it } from 'vitest'
import { type FakeNode, logOf, startFakeNode } from '../../test/support/rpc/fake-node.ts'
import { createTestReader } from '../../test/support/rpc/reader.ts'

const range = { from: 100, to: 110 }
const three = [logOf(101, 0), logOf(103, 0), logOf(103, 1)]
const dead = 'http://127.0.0.1:1'

const start = async (...logsByNode: readonly FakeNode['logs'][]) => {
  const nodes: FakeNode[] = []
  for (const logs of logsByNode) nodes.push(Object.assign(await startFakeNode(), { logs }))
  return nodes
}

const read = async (urls: readonly string[]) => {
  const { reader } = createTestReader(urls)
  const outcome = await reader.readRangeCrossChecked(range, { topics: [] })
  return outcome.ok
    ? { logs: outcome.value.logs.length, endpointsAgreed: outcome.value.endpointsAgreed }
    : outcome.fault.kind
}

it.each([
  ['two that agree', [three, three], { logs: 3, endpointsAgreed: 2 }],
  ['two that know of nothing', [[], []], { logs: 0, endpointsAgreed: 2 }],
  ['the first of which lags', [[], three], { logs: 3, endpointsAgreed: 1 }],
  ['the second of which lost one', [three, three.slice(1)], { logs: 3, endpointsAgreed: 1 }],
  ['each of which lost another', [three.slice(1), three.slice(0, 2)], 'malformed'],
  ['one alone', [three], { logs: 3, endpointsAgreed: 1 }],
] as const)('%s', async (_, logsByNode, expected) => {
  const nodes = await start(...logsByNode.map((logs) => [...logs]))
  expect(await read(nodes.map(({ url }) => url))).toEqual(expected)
})

it('a third takes the place of one that does not answer', async () => {
  const [one, two] = await start(three, three)
  expect(await read([one?.url ?? '', dead, two?.url ?? ''])).toEqual({
    logs: 3,
    endpointsAgreed: 2,
  })
})

it('of two the one that answers counts as one', async () => {
  const [one] = await start(three)
  expect(await read([dead, one?.url ?? ''])).toEqual({ logs: 3, endpointsAgreed: 1 })
})

describe('where one answers only smaller ranges', () => {
  const refuse = (node: FakeNode | undefined) => {
    const error = { code: -32_000, message: 'ranges over 5 blocks are not supported' }
    if (node) node.answer = ({ method }) => (method === 'eth_getLogs' ? { error } : undefined)
  }

  it.each([0, 1, 2])('two others serve the requested range (the small one %d)', async (at) => {
    const nodes = await start(three, three, three)
    refuse(nodes[at])
    expect(await read(nodes.map(({ url }) => url))).toEqual({ logs: 3, endpointsAgreed: 2 })
  })

  it.each([0, 1])('and there is one other, both want to be asked for less (%d)', async (at) => {
    const nodes = await start(three, three)
    refuse(nodes[at])
    expect(await read(nodes.map(({ url }) => url))).toBe('range-too-large')
    // After that no request is wasted.
    const logs = nodes
      .flatMap((node) => node.calls())
      .filter((call) => call.method.endsWith('Logs'))
    expect(logs).toHaveLength(1 + at)
  })
})

// Without times, two endpoints that state different ones agree.
it('times that are not wanted contradict nothing', async () => {
  const untimed = three.map(({ blockTimestamp: _, ...log }) => log)
  const nodes = await start(three, untimed)
  const { reader } = createTestReader(nodes.map(({ url }) => url))
  const checked = await reader.readRangeCrossChecked(range, { topics: [] }, { times: false })
  expect(checked.ok && checked.value.endpointsAgreed).toBe(2)
  expect(checked.ok && checked.value.logs.map(({ ts }) => ts)).toEqual([0, 0, 0])
  const methods = nodes.flatMap((node) => node.calls()).map(({ method }) => method)
  expect(methods.filter((method) => method === 'eth_getLogs')).toHaveLength(2)
})
