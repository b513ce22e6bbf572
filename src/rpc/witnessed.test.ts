import { expect, it } from 'vitest'
import { type FakeNode, logOf, startFakeNode } from './fake-node.fixture.ts'
import { createTestReader } from './reader.fixture.ts'

const range = { from: 100, to: 110 }
const three = [logOf(101, 0), logOf(103, 0), logOf(103, 1)]
const dead = 'http://127.0.0.1:1'

const start = async (...told: readonly (typeof three)[]) => {
  const nodes: FakeNode[] = []
  for (const logs of told) nodes.push(Object.assign(await startFakeNode(), { logs }))
  return nodes
}

const read = async (urls: readonly string[]) => {
  const { reader } = createTestReader(urls)
  const outcome = await reader.witnessedRange(range, { topics: [] })
  return outcome.ok
    ? { logs: outcome.value.logs.length, witnesses: outcome.value.witnesses }
    : outcome.fault.kind
}

it.each([
  ['two that agree', [three, three], { logs: 3, witnesses: 2 }],
  ['two that know of nothing', [[], []], { logs: 0, witnesses: 2 }],
  ['the first of which lags', [[], three], { logs: 3, witnesses: 1 }],
  ['the second of which lost one', [three, three.slice(1)], { logs: 3, witnesses: 1 }],
  ['each of which lost another', [three.slice(1), three.slice(0, 2)], 'malformed'],
  ['one alone', [three], { logs: 3, witnesses: 1 }],
] as const)('%s', async (_, told, expected) => {
  const nodes = await start(...told.map((logs) => [...logs]))
  expect(await read(nodes.map(({ url }) => url))).toEqual(expected)
})

it('a third takes the place of one that does not answer', async () => {
  const [one, two] = await start(three, three)
  expect(await read([one?.url ?? '', dead, two?.url ?? ''])).toEqual({ logs: 3, witnesses: 2 })
})

it('of two the one that answers counts as one', async () => {
  const [one] = await start(three)
  expect(await read([dead, one?.url ?? ''])).toEqual({ logs: 3, witnesses: 1 })
})
