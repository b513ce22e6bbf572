import { Type } from 'typebox'
import {
  addressSchema,
  blockSchema,
  countSchema,
  field,
  hashSchema,
  listOf,
  poolIdSchema,
  record,
  unixSecondsSchema,
} from '../schemas/fields.ts'
import { amountSchema, nativePriceSchema } from './feed-fields.ts'

/*
 * DEX Screener Adapter specification 1.1, whose four endpoints GeckoTerminal reads as well:
 * https://dexscreener.notion.site/DEX-Screener-Adapter-Specs-cc1223cdf6e74a7799599106b65dcd0e
 */

const exampleId = '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'
const exampleToken = '0x4d21483f44bd3ad56f7e3d8cee9cb4e36a4d9c9f'

const FeedBlockSchema = record('A block and its time.', {
  blockNumber: field(blockSchema, 'Number of the block.', 24_880_412),
  blockTimestamp: field(unixSecondsSchema, 'Its time.', 1_795_215_571),
})

export const DexScreenerBlockSchema = record('The newest block that may be asked for.', {
  block: field(FeedBlockSchema, 'Its events, and those of all blocks before, are final.', null),
})

const DexScreenerAssetSchema = record('A token.', {
  id: field(addressSchema, 'Its address.', exampleToken),
  name: field(Type.String({ minLength: 1 }), 'Its name; its symbol where it has none.', 'NVIDIA'),
  symbol: field(
    Type.String({ minLength: 1 }),
    'That of the registry if it is a stock; its address where it has none.',
    'NVDA',
  ),
})

export const DexScreenerAssetAnswerSchema = record('A token by its address.', {
  asset: field(DexScreenerAssetSchema, 'The token.', null),
})

const DexScreenerPairSchema = record('A pool; nothing of it ever changes.', {
  id: field(poolIdSchema, 'v3: the pool address. v4: the PoolId.', exampleId),
  dexKey: field(
    Type.String({ pattern: '^[a-z0-9-]+$' }),
    'The venue, by its name in lower case with hyphens.',
    'uniswap-v3',
  ),
  asset0Id: field(addressSchema, "The pool's token0.", exampleToken),
  asset1Id: field(
    addressSchema,
    "The pool's token1.",
    '0x5fc5360d0400a0fd4f2af552add042d716f1d168',
  ),
  createdAtBlockNumber: field(blockSchema, 'Block of the creation.', 24_000_100),
  createdAtBlockTimestamp: field(unixSecondsSchema, 'Its time.', 1_795_100_000),
  feeBps: Type.Optional(
    field(
      Type.Number({ minimum: 0, 'x-unit': 'basis points' }),
      'Fee of a swap; left out where it may change.',
      30,
    ),
  ),
})

export const DexScreenerPairAnswerSchema = record('A pool by its id.', {
  pair: field(DexScreenerPairSchema, 'The pool.', null),
})

const ReservesSchema = record('What all positions of a pool add up to.', {
  asset0: field(amountSchema, 'Of token0.', '1203.25'),
  asset1: field(amountSchema, 'Of token1.', '251004.129'),
})

const amountField = (meaning: string, example: string) =>
  Type.Optional(field(amountSchema, meaning, example))

const DexScreenerEventSchema = record(
  'A swap, or liquidity that was added or removed. (txnIndex, eventIndex) is unique in its block.',
  {
    block: field(FeedBlockSchema, 'The block of the event.', null),
    eventType: field(Type.Enum(['swap', 'join', 'exit']), 'What happened.', 'swap'),
    txnId: field(
      hashSchema,
      'Hash of the transaction.',
      '0x5f1c7b9ae1d54c0a7f6f52b1b1c1d4b75a3a1f4c2f6f0e7d8c9b0a1f2e3d4c5b',
    ),
    txnIndex: field(countSchema, 'Place of the transaction in the block.', 4),
    eventIndex: field(countSchema, 'Place of the log in the block.', 17),
    maker: field(
      addressSchema,
      'Sender of the transaction; where it is not known, the caller of the pool or the owner of ' +
        'the position.',
      '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be',
    ),
    pairId: field(poolIdSchema, 'The pool.', exampleId),
    asset0In: amountField('Swap: what was paid, if it is token0.', '1.5'),
    asset1Out: amountField('Swap: what was received for it.', '311.204417'),
    asset1In: amountField('Swap: what was paid, if it is token1.', '311.204417'),
    asset0Out: amountField('Swap: what was received for it.', '1.5'),
    amount0: amountField('Join or exit: what was added or removed of token0.', '1.5'),
    amount1: amountField('Join or exit: what was added or removed of token1.', '311.204417'),
    priceNative: Type.Optional(
      field(nativePriceSchema, 'Swap: the price of token0 in token1 after it.', '207.469611'),
    ),
    reserves: Type.Optional(
      field(
        ReservesSchema,
        'After the event, by the tick map; left out where that is not known exactly.',
        null,
      ),
    ),
  },
)

export const DexScreenerEventsSchema = record('The events of some blocks in chain order.', {
  events: field(listOf(DexScreenerEventSchema), 'Each once.', []),
})

/** By their names in generated clients. */
export const dexScreenerSchemas = {
  FeedBlock: FeedBlockSchema,
  DexScreenerBlock: DexScreenerBlockSchema,
  DexScreenerAsset: DexScreenerAssetSchema,
  DexScreenerAssetAnswer: DexScreenerAssetAnswerSchema,
  DexScreenerPair: DexScreenerPairSchema,
  DexScreenerPairAnswer: DexScreenerPairAnswerSchema,
  DexScreenerReserves: ReservesSchema,
  DexScreenerEvent: DexScreenerEventSchema,
  DexScreenerEvents: DexScreenerEventsSchema,
}
