import { describe, expect, it } from 'vitest'
import { hashOf, logOf, pool, topic, tsOf, word } from '../../test/support/rpc/fake-node.ts'
import { parseLog } from './parse-log.ts'

/** The v3 factory's first log on Robinhood Chain: `OwnerChanged`, block 8930. */
const recorded = {
  address: '0x1f7d7550b1b028f7571e69a784071f0205fd2efa',
  topics: [
    '0xb532073b38c83145e3e5135377a08bf9aab55bc0fd7c1179cd4fb995d2a5159c',
    '0x0000000000000000000000000000000000000000000000000000000000000000',
    '0x0000000000000000000000009701fb0ade1e269c8f64ec0c7b3cfadb31a13a52',
  ],
  data: '0x',
  blockHash: '0x33e6e93cf3f8520bf51b844961e3938fd2d47013b7f0b32ed662e24cb89ac901',
  blockNumber: '0x22e2',
  blockTimestamp: '0x6a109942',
  transactionHash: '0x8add72fbcad4bf7732336de35dcd06b582c1501d0832c4710a30850a7cff8977',
  transactionIndex: '0x1',
  logIndex: '0x0',
  removed: false,
}

describe('one log', () => {
  it('comes out in our terms', () => {
    expect(parseLog(recorded)).toEqual({
      ok: true,
      value: {
        log: {
          address: recorded.address,
          topics: recorded.topics,
          data: '0x',
          block: 8930,
          blockHash: recorded.blockHash,
          ts: 1_779_472_706,
          txHash: recorded.transactionHash,
          txIndex: 1,
          logIndex: 0,
        },
        isRemoved: false,
      },
    })
  })

  it('capitals and leading zeros mean the same', () => {
    const { blockNumber, ...rest } = recorded
    const loud = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const shouted = {
      ...rest,
      address: loud(recorded.address),
      topics: recorded.topics.map(loud),
      blockHash: loud(recorded.blockHash),
      transactionHash: loud(recorded.transactionHash),
      blockNumber: `0x00${blockNumber.slice(2).toUpperCase()}`,
    }
    expect(parseLog(shouted)).toEqual(parseLog(recorded))
  })

  it.each([
    ['a number', '0x68', 0x68],
    ['zero', '0x0', 0],
    ['null', null, 0],
    ['missing', undefined, 0],
    ['nonsense', 'now', 0],
  ])('a blockTimestamp of %s', (_, blockTimestamp, ts) => {
    expect(parseLog({ ...recorded, blockTimestamp })).toMatchObject({ value: { log: { ts } } })
  })

  it('what an older node leaves out or adds does no harm', () => {
    const { removed, ...older } = recorded
    expect(removed).toBe(false)
    expect(parseLog({ ...older, logType: 'mined' })).toMatchObject({
      value: { isRemoved: false },
    })
    expect(parseLog(logOf(5, 1))).toMatchObject({
      value: {
        log: { address: pool, blockHash: hashOf(5), ts: tsOf(5), topics: [topic, word(1)] },
      },
    })
  })

  it.each([
    ['address', '0x12'],
    ['address', null],
    ['topics', null],
    ['topics', ['0x12']],
    ['topics', [1]],
    ['topics', new Array(5).fill(topic)],
    ['data', '0x1'],
    ['data', '0xzz'],
    ['data', ''],
    ['data', null],
    ['blockNumber', null],
    ['blockNumber', 7],
    ['blockNumber', '0x'],
    ['blockNumber', `0x${'f'.repeat(14)}`],
    ['blockHash', null],
    ['blockHash', '0x12'],
    ['transactionHash', undefined],
    ['transactionIndex', '-0x1'],
    ['logIndex', null],
    ['removed', 'no'],
  ])('%s of %j is refused by name', (field, value) => {
    expect(parseLog({ ...recorded, [field]: value })).toEqual({ ok: false, fault: field })
  })

  it.each([null, [], 'log', 7])('%j is no log', (json) => {
    expect(parseLog(json)).toEqual({ ok: false, fault: 'log' })
  })
})
