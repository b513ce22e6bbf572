import { describe, expect, test } from 'vitest'
import { expectGapless, rangesOnly } from '../../test/support/indexer/asked-ranges.ts'
import { createFollowerHarness } from '../../test/support/indexer/follow-stage.ts'
import type { RpcFault } from '../ports/chain-reader.ts'

const unreachable: RpcFault = { kind: 'unreachable', detail: 'reset' }

describe('several ranges in a step', () => {
  //   asked      [ 1 ] alone   [ 2 ][ 3 ][ 4 ]   ...
  //   written    [ 1 ][ 2 ][ 3 ][ 4 ]            [ 5 ][ 6 ][ 7 ][ 8 ]
  test('are written by fours', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5, rangesPerStep: 8 })
    expect(await stage.step()).toEqual({ waitMs: 0 })
    expect(stage.taken).toEqual(['1-4000', '4001-8000'])
    expect(rangesOnly(stage.asked).slice(0, 4)).toEqual([
      '1-1000',
      '1001-2000',
      '2001-3000',
      '3001-4000',
    ])
    await stage.catchUp()
    expect(stage.taken.slice(2)).toEqual(['8001-12000', '12001-16000', '16001-20000'])
    expect(stage.finality.at[0]).toBe(16_000)
  })

  test('are ingested up to a fault, from which the next step continues', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5, rangesPerStep: 8 })
    let faults = 1
    stage.node.faultOf = (_, range) => (range?.from === 6001 && faults-- > 0 ? unreachable : null)
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.taken).toEqual(['1-4000', '4001-6000'])
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })

  //   ingested [1-1000]  [1001-2000] canonical, [2001-3000] of an endpoint on another branch
  test('of another branch are not joined to those before', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5, rangesPerStep: 8 })
    stage.node.branchOf = (_, question) => (question === '2001-3000' ? 1 : 0)
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.taken).toEqual(['1-2000'])
    expect(stage.reported.at(-1)).toMatch(/^behind: block 2001 reported by the endpoint/)
    stage.node.branchOf = () => 0
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })

  test('give way to another writer', async () => {
    const stage = createFollowerHarness({ latest: 20_000, logsPerBlock: 5, rangesPerStep: 8 })
    stage.moveByAnother()
    expect(await stage.step()).toEqual({ waitMs: 1000 })
    expect(stage.taken).toEqual([])
    await stage.catchUp()
    expectGapless(stage.taken, 20_000)
  })
})
