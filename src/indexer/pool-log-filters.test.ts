import { expect, test } from 'vitest'
import { v3Venue, v4Venue, venuesOf } from '../../test/support/domain/sample-venues.ts'
import { protocols } from '../domain/dex/registry.ts'
import type { Address } from '../domain/units.ts'
import type { LogFilter } from '../ports/chain-reader.ts'
import { referenceCreationFilters, stockCreationFilters } from './pool-log-filters.ts'

const venues = venuesOf(v3Venue, v4Venue)
const tokens: readonly Address[] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]

/** First topics, each with the positions that a filter restricts besides. */
const asked = (filters: readonly LogFilter[]): readonly string[] =>
  filters.flatMap(({ topics: [first, ...rest] }) =>
    (first ?? []).map((topic) => `${topic} ${rest.map((values) => values !== null).join()}`),
  )

test.each([
  ['stocks', stockCreationFilters(venues, tokens)],
  ['references', referenceCreationFilters(venues, tokens)],
])('creation logs of %s are asked for once, also of protocols that share a topic', (_, filters) => {
  const questions = asked(filters)
  expect(questions).toHaveLength(new Set(questions).size)
  const topics = new Set(questions.map((question) => question.split(' ')[0]))
  expect(topics).toEqual(new Set(protocols.flatMap((each) => [...each.creationEvents.keys()])))
  for (const { addresses } of filters) expect(addresses).toEqual([...venues.keys()])
})
