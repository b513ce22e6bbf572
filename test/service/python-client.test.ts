import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { hasPython, listenInPython } from '../python/run-python.ts'
import { eventually } from './api.ts'
import { baseUrl } from './shared.ts'

const client = createClient(baseUrl)

test('the oldest swaps are read by the client in either language', async () => {
  const { ts } = await client.status()
  const from = ts - 600
  const stored: string[] = []
  for await (const { txHash, logIndex } of client.eachOfAllSwaps({ from, order: 'asc' })) {
    stored.push(`${txHash} ${logIndex}`)
  }
  expect(new Set(stored).size).toBe(stored.length)
  if (!hasPython) return
  const steps = listenInPython('listen.py', baseUrl, 'follow', String(from)) as {
    readonly swap: readonly [string, number] | null
  }[]
  // Those of the stream follow the stored ones.
  await eventually(
    () => steps.length,
    (count) => count > stored.length + 2,
  )
  const followed = steps.flatMap(({ swap }) => (swap === null ? [] : [swap.join(' ')]))
  expect(followed.slice(0, stored.length)).toEqual(stored)
  expect(new Set(followed).size).toBe(followed.length)
})
