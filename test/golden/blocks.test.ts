import { decodeEventLog, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../../src/domain/chain/log.ts'
import { decodeLog } from '../../src/domain/dex/protocol.ts'
import { protocols } from '../../src/domain/dex/registry.ts'
import type { Hash } from '../../src/domain/units.ts'
import type { EventArguments } from '../support/domain/dex-fixture.ts'
import { uniswapV3Fixture } from '../support/domain/uniswap-v3-fixture.ts'
import { uniswapV4Fixture } from '../support/domain/uniswap-v4-fixture.ts'
import { chainLog, readData } from './read-data.ts'

type RecordedBlock = Pick<ChainLog, 'block' | 'blockHash' | 'ts'> & { logs: ChainLog[] }

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const fixtures = [uniswapV3Fixture, uniswapV4Fixture]

const decodeByRegistry = (log: ChainLog) =>
  protocols.map((dex) => decodeLog(dex, log)).find((decoded) => decoded !== null) ?? null

/** What viem makes of the log by the same declarations, in our words; null if it is none. */
const decodeByViem = (log: ChainLog) => {
  for (const { declarations, expectedEvents: meanings } of fixtures) {
    try {
      const { eventName, args } = decodeEventLog({
        abi: parseAbi(declarations),
        topics: log.topics as [Hash, ...Hash[]],
        data: log.data,
      })
      const lowercased = Object.fromEntries(
        Object.entries(args ?? {}).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.toLowerCase() : value,
        ]),
      ) as unknown as EventArguments
      return meanings[eventName ?? '']?.(lowercased, log) ?? null
    } catch {
      // Not an event of this DEX.
    }
  }
  return null
}

describe.each([
  ['block-ethereum-18000000', 291, 2],
  ['block-arbitrum-150000000', 18, 2],
])('every log of %s', (name, logCount, swapCount) => {
  const { logs, ...block } = readData<RecordedBlock>(name)
  const chainLogs = logs.map((log) => chainLog({ ...log, ...block }))
  const swaps = chainLogs.flatMap((log) => {
    const decoded = decodeByRegistry(log)
    return decoded?.ok && decoded.event.kind === 'swapped' ? [{ log, swap: decoded.event }] : []
  })

  it('is read as viem reads it', () => {
    expect(chainLogs).toHaveLength(logCount)
    expect(swaps).toHaveLength(swapCount)
    for (const log of chainLogs) {
      const { block, blockHash, ts, txHash, txIndex, logIndex } = log
      const meaning = decodeByViem(log)
      const expected = meaning && {
        ok: true,
        event: { ...meaning, at: { block, blockHash, ts, txHash, txIndex, logIndex } },
      }
      expect(decodeByRegistry(log)).toEqual(expected)
    }
  })

  it('agrees in its signs with the transfers of the same transaction', () => {
    for (const { log, swap } of swaps) {
      const isPool = (topic: Hash | undefined) => topic?.slice(26) === log.address.slice(2)
      const moved = chainLogs
        .filter(({ txHash, topics }) => txHash === log.txHash && topics[0] === transferTopic)
        .flatMap(({ address, topics, data }) => {
          const sign = isPool(topics[2]) ? 1n : isPool(topics[1]) ? -1n : 0n
          return sign === 0n ? [] : [{ token: address, amount: sign * BigInt(data) }]
        })
        .sort((a, b) => (a.token < b.token ? -1 : 1))
      expect(moved.map(({ amount }) => amount)).toEqual([swap.amount0, swap.amount1])
    }
  })
})

describe('logs of other contracts and of other events', () => {
  const foreign = readData<(ChainLog & { name: string })[]>('foreign-logs')

  const pancakeSwap = 'pancakeswap v3 Swap'
  const protocolFee = 'uniswap v3 SetFeeProtocol'
  const unread = foreign.filter(({ name }) => name !== pancakeSwap && name !== protocolFee)

  it.each(unread.map((log) => [log.name, log] as const))('%s is none of ours', (_, log) => {
    expect(decodeByRegistry(chainLog(log))).toBe(null)
  })

  it('a protocol fee of Uniswap v3 is read: the last two numbers hold from now on', () => {
    const log = foreign.find(({ name }) => name === protocolFee) as ChainLog
    expect(decodeByRegistry(chainLog(log))).toMatchObject({
      ok: true,
      event: { kind: 'protocol-fee-set', poolId: log.address, protocolFee: 6 + (6 << 4) },
    })
  })

  it('would be refused with the topic of Uniswap v3: PancakeSwap has two words more', () => {
    const pancake = foreign.find(({ name }) => name === pancakeSwap) as ChainLog
    const [, ...indexed] = pancake.topics
    const disguised = chainLog({
      ...pancake,
      topics: [uniswapV3Fixture.swap.log.topics[0] as Hash, ...indexed],
    })
    expect(decodeByRegistry(disguised)).toEqual({
      ok: false,
      reason: 'Swap: not the shape of this event',
    })
  })
})
