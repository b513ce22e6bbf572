import { parseAbiItem, toEventSelector } from 'viem'
import type { PoolKey, PoolPrice } from '../../src/domain/pool/pool-event.ts'
import type { RawAmounts } from '../../src/domain/pool/pool-state.ts'
import { answerUpdatedTopic } from '../../src/domain/stock/onchain-events.ts'
import type { Address, Hash, Hex, PoolId } from '../../src/domain/units.ts'
import { uniswapV3Fixture } from '../../test/support/domain/uniswap-v3-fixture.ts'
import { uniswapV4Fixture } from '../../test/support/domain/uniswap-v4-fixture.ts'
import type { PoolMoment, Range } from './pool.ts'

/** What a contract emits, before it has a place on the chain. */
export type Emitted = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
}

const topicOf = (declarations: readonly string[], name: string): Hash => {
  const found = declarations.find((each) => each.startsWith(`event ${name}(`))
  if (found === undefined) throw new Error(`there is no event ${name}`)
  return toEventSelector(parseAbiItem([found]) as unknown as Parameters<typeof toEventSelector>[0])
}

const v3 = (name: string): Hash => topicOf(uniswapV3Fixture.declarations, name)
const v4 = (name: string): Hash => topicOf(uniswapV4Fixture.declarations, name)
const v3Topics = {
  created: v3('PoolCreated'),
  initialized: v3('Initialize'),
  swapped: v3('Swap'),
  minted: v3('Mint'),
  burnt: v3('Burn'),
}
const v4Topics = {
  created: v4('Initialize'),
  swapped: v4('Swap'),
  changed: v4('ModifyLiquidity'),
}

const wordDigits = 64

/** One word of the ABI, without `0x`; negative numbers in two's complement. */
export const wordOf = (value: bigint | number): string =>
  BigInt.asUintN(256, BigInt(value)).toString(16).padStart(wordDigits, '0')

export const addressWord = (address: Address): string => address.slice(2).padStart(wordDigits, '0')

const topicOfAddress = (address: Address): Hash => `0x${addressWord(address)}`
const topicOfNumber = (value: number): Hash => `0x${wordOf(value)}`
const dataOf = (...words: readonly string[]): Hex => `0x${words.join('')}`

/** By hand and a hundred times faster than a general encoder, which a test holds it against. */
export const v3Writer = (pool: Address, key: PoolKey, venue: Address, user: Address) => ({
  creation: ({ sqrtPriceX96, tick }: PoolPrice): readonly Emitted[] => [
    {
      address: venue,
      topics: [
        v3Topics.created,
        topicOfAddress(key.token0),
        topicOfAddress(key.token1),
        topicOfNumber(key.fee),
      ],
      data: dataOf(wordOf(key.tickSpacing), addressWord(pool)),
    },
    {
      address: pool,
      topics: [v3Topics.initialized],
      data: dataOf(wordOf(sqrtPriceX96), wordOf(tick)),
    },
  ],
  /** `isBurn` because a burn of nothing is one, too. */
  liquidity: (range: Range, amount: bigint, isBurn: boolean, moved: RawAmounts): Emitted => {
    const amounts = [amount, moved.amount0, moved.amount1].map(wordOf)
    const place = [topicOfAddress(user), topicOfNumber(range.tickLower)]
    const topics = [...place, topicOfNumber(range.tickUpper)]
    return isBurn
      ? { address: pool, topics: [v3Topics.burnt, ...topics], data: dataOf(...amounts) }
      : {
          address: pool,
          topics: [v3Topics.minted, ...topics],
          data: dataOf(addressWord(user), ...amounts),
        }
  },
  swap: ({ amount0, amount1 }: RawAmounts, after: PoolMoment): Emitted => ({
    address: pool,
    topics: [v3Topics.swapped, topicOfAddress(user), topicOfAddress(user)],
    data: dataOf(
      ...[amount0, amount1, after.sqrtPriceX96, after.liquidity, after.tick].map(wordOf),
    ),
  }),
})

export const v4Writer = (id: PoolId, key: PoolKey, venue: Address, user: Address) => ({
  creation: ({ sqrtPriceX96, tick }: PoolPrice): readonly Emitted[] => [
    {
      address: venue,
      topics: [v4Topics.created, id, topicOfAddress(key.token0), topicOfAddress(key.token1)],
      data: dataOf(
        wordOf(key.fee),
        wordOf(key.tickSpacing),
        addressWord(key.hooks ?? '0x'),
        wordOf(sqrtPriceX96),
        wordOf(tick),
      ),
    },
  ],
  liquidity: ({ tickLower, tickUpper }: Range, amount: bigint, isBurn: boolean): Emitted => ({
    address: venue,
    topics: [v4Topics.changed, id, topicOfAddress(user)],
    data: dataOf(
      wordOf(tickLower),
      wordOf(tickUpper),
      wordOf(isBurn ? -amount : amount),
      wordOf(0),
    ),
  }),
  /** The event is written from the swapper's side. */
  swap: ({ amount0, amount1 }: RawAmounts, after: PoolMoment, fee: number): Emitted => ({
    address: venue,
    topics: [v4Topics.swapped, id, topicOfAddress(user)],
    data: dataOf(
      ...[-amount0, -amount1, after.sqrtPriceX96, after.liquidity, after.tick, fee].map(wordOf),
    ),
  }),
})

export const answerUpdated = (
  aggregator: Address,
  answer: bigint,
  round: number,
  ts: number,
): Emitted => ({
  address: aggregator,
  topics: [answerUpdatedTopic, `0x${wordOf(answer)}`, topicOfNumber(round)],
  data: dataOf(wordOf(ts)),
})
