import { expect, test } from 'vitest'
import { createIndexerEvents } from './events.ts'

test('listeners are called at once, in the order in which they came, for their own event', () => {
  const events = createIndexerEvents()
  const calls: string[] = []
  events.on('poolMismatched', (pool) => calls.push(`first ${pool}`))
  events.on('branchReplaced', () => calls.push('replaced'))
  events.on('poolMismatched', (pool) => calls.push(`second ${pool}`))
  events.emit('poolMismatched', 7)
  expect(calls).toEqual(['first 7', 'second 7'])
  events.emit('branchReplaced')
  events.emit('indexReset')
  expect(calls).toEqual(['first 7', 'second 7', 'replaced'])
})
