import { expect, test } from 'vitest'
import { planReadAhead } from './read-ahead-plan.ts'

const up = { direction: 'up', next: 0, last: 1000 } as const
const down = { direction: 'down', next: 1000, last: 0 } as const
const want = { blocks: 50, rangesMax: 3 }

// What was asked for stays while it leads on; new ranges follow it without a hole.
test.each([
  ['nothing asked, upwards', up, [], ['0-49', '50-99', '100-149']],
  ['nothing asked, downwards', down, [], ['951-1000', '901-950', '851-900']],
  ['two wider ones asked', up, ['0-99', '100-199'], ['0-99', '100-199', '200-249']],
  ['the first was taken', { ...up, next: 100 }, ['100-199'], ['100-199', '200-249', '250-299']],
  ['what was asked leads nowhere', { ...up, next: 30 }, ['50-99'], ['30-79', '80-129', '130-179']],
  ['the end is near', { ...up, next: 990 }, [], ['990-1000']],
  ['the end is near, downwards', { ...down, next: 60 }, [], ['11-60', '0-10']],
  ['all is read', { ...up, next: 1001 }, [], []],
  ['all is read, downwards', { ...down, next: -1 }, [], []],
] as const)('%s', (_, course, asked, planned) => {
  const spans = asked.map((text) => text.split('-').map(Number))
  const ranges = spans.map(([from = 0, to = 0]) => ({ from, to }))
  const plan = planReadAhead(ranges, course, want)
  expect(plan.map(({ from, to }) => `${from}-${to}`)).toEqual(planned)
})
