import { expect, test } from 'vitest'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import { headersOnlyFilter } from '../realtime/common-ancestor.ts'
import { createCrossCheckWithFallback, createSingleEndpointWarning } from './cross-check.ts'

type Answer = Outcome<string, RpcFault>
const tooLarge: Answer = failure({ kind: 'range-too-large', suggestedBlocks: 10, detail: 'ten' })
const late: Answer = failure({ kind: 'timeout', detail: 'late' })

/** Asks twice where less than 100 blocks are too few; whom it asked, and what it was told last. */
const askTwice = async (given: {
  readonly two: Answer
  readonly one: Answer
  readonly blocksNext: number
}) => {
  const asked: string[] = []
  const journal = createJournal()
  const answering = (who: 'two' | 'one') => async () => {
    asked.push(who)
    return given[who]
  }
  const chain = { readRangeCrossChecked: answering('two'), readRange: answering('one') }
  const ask = createCrossCheckWithFallback({
    chain: chain as unknown as ChainReader,
    times: true,
    blocksMin: () => 100,
    onAlone: createSingleEndpointWarning(journal.logger),
  })
  const blocksNext = () => given.blocksNext
  const range = { from: 1, to: 1000 }
  await ask(range, headersOnlyFilter, blocksNext)
  const told = await ask(range, headersOnlyFilter, blocksNext)
  return { asked: asked.join(' '), told, notes: journal.of('warn').length }
}

//                                        two          one           next   asked        told notes
test.each([
  ['two that answer are asked', success('both'), success('one'), 10, 'two two', 'two', 0],
  ['two that want a little less get it', tooLarge, success('one'), 100, 'two two', 'two', 0],
  [
    'where they want too little one is asked',
    tooLarge,
    success('one'),
    99,
    'two one one',
    'one',
    1,
  ],
  ['unless that one wants less, too', tooLarge, tooLarge, 99, 'two one two one', 'one', 0],
  ['a fault is no reason', late, success('one'), 10, 'two two', 'two', 0],
] as const)('%s', async (_, two, one, blocksNext, asked, teller, notes) => {
  const told = teller === 'two' ? two : one
  expect(await askTwice({ two, one, blocksNext })).toEqual({ asked, told, notes })
})
