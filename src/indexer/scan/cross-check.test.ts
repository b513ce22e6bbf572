import { expect, test } from 'vitest'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import { headersOnlyFilter } from '../reorg/common-ancestor.ts'
import { createCrossCheckWithFallback, createSingleEndpointWarning } from './cross-check.ts'

type Answer = Outcome<string, RpcFault>
const tooLarge: Answer = failure({ kind: 'range-too-large', suggestedBlocks: 10, detail: 'ten' })
const late: Answer = failure({ kind: 'timeout', detail: 'late' })

/** Reads twice with a minimum of 100 blocks; the endpoints that were used, and the last answer. */
const readTwice = async (given: {
  readonly two: Answer
  readonly one: Answer
  readonly blocksNext: number
}) => {
  const requests: string[] = []
  const journal = createJournal()
  const answering = (endpoints: 'two' | 'one') => async () => {
    requests.push(endpoints)
    return given[endpoints]
  }
  const chain = { readRangeCrossChecked: answering('two'), readRange: answering('one') }
  const crossCheck = createCrossCheckWithFallback({
    chain: chain as unknown as ChainReader,
    times: true,
    blocksMin: () => 100,
    onSingleEndpoint: createSingleEndpointWarning(journal.logger),
  })
  const nextRangeBlocks = () => given.blocksNext
  const range = { from: 1, to: 1000 }
  await crossCheck(range, headersOnlyFilter, nextRangeBlocks)
  const last = await crossCheck(range, headersOnlyFilter, nextRangeBlocks)
  return { requests: requests.join(' '), last, warnings: journal.of('warn').length }
}

//  two endpoints, one endpoint, next blocks, requests, last answer of, warnings
test.each([
  [
    'reads from two endpoints while both answer',
    success('both'),
    success('one'),
    10,
    'two two',
    'two',
    0,
  ],
  [
    'keeps two endpoints while their ranges are large enough',
    tooLarge,
    success('one'),
    100,
    'two two',
    'two',
    0,
  ],
  [
    'falls back to one endpoint when the ranges of two are too small',
    tooLarge,
    success('one'),
    99,
    'two one one',
    'one',
    1,
  ],
  [
    'keeps two endpoints when one supports only small ranges, too',
    tooLarge,
    tooLarge,
    99,
    'two one two one',
    'one',
    0,
  ],
  ['keeps two endpoints after another fault', late, success('one'), 10, 'two two', 'two', 0],
] as const)('%s', async (_, two, one, blocksNext, requests, answering, warnings) => {
  const last = answering === 'two' ? two : one
  expect(await readTwice({ two, one, blocksNext })).toEqual({ requests, last, warnings })
})
