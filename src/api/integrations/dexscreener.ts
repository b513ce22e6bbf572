import { failure, success } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
import { defineEndpoint } from '../routes/route.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { toDexScreenerEvent } from './dexscreener-event.ts'
import {
  DexScreenerAssetAnswerSchema,
  DexScreenerBlockSchema,
  DexScreenerEventsSchema,
  DexScreenerPairAnswerSchema,
} from './dexscreener-schemas.ts'
import { checkFeedRange, feedProblem, feedRangeFields, tokenField } from './feed-fields.ts'

const examplePool = '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'

const latestBlockEndpoint = defineEndpoint({
  path: '/integrations/dexscreener/latest-block',
  operationId: 'getDexScreenerLatestBlock',
  description:
    'The newest finalized block whose events are complete, as the adapter ' +
    'specification 1.1 of DEX Screener asks for it; GeckoTerminal reads it, too.',
  tag: 'market',
  summary: 'Returns the newest block whose events DEX Screener may ask for.',
  rateLimited: true,
  schema: DexScreenerBlockSchema,
  answer: async ({ market }) => {
    const last = await market.feedBlock()
    if (last === null) return failure(problems.notReady)
    return success({ block: { blockNumber: last.block, blockTimestamp: last.ts } })
  },
})

const assetEndpoint = defineEndpoint({
  path: '/integrations/dexscreener/asset',
  operationId: 'getDexScreenerAsset',
  description:
    'A token of an indexed pool by its address, as the adapter specification 1.1 of ' +
    'DEX Screener asks for it.',
  tag: 'market',
  summary: 'Returns a token for DEX Screener.',
  rateLimited: true,
  queryFields: { id: tokenField },
  exampleQuery: 'id=0x4d21483f44bd3ad56f7e3d8cee9cb4e36a4d9c9f',
  schema: DexScreenerAssetAnswerSchema,
  notFound: 'token_not_found',
  answer: async ({ market }, { query: { id } }) => {
    const asset = await market.feedAsset(id)
    if (asset === null) return failure(problems.tokenNotFound)
    return success({ asset: { id: asset.address, name: asset.name, symbol: asset.symbol } })
  },
})

const toDexKey = (venue: string): string =>
  venue
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'dex'

const pairEndpoint = defineEndpoint({
  path: '/integrations/dexscreener/pair',
  operationId: 'getDexScreenerPair',
  description:
    'A pool by its id, as the adapter specification 1.1 of DEX Screener asks for it. ' +
    'What it says of a pool never changes.',
  tag: 'market',
  summary: 'Returns a pool for DEX Screener.',
  rateLimited: true,
  queryFields: { id: poolIdField },
  exampleQuery: `id=${examplePool}`,
  schema: DexScreenerPairAnswerSchema,
  notFound: 'pool_not_found',
  errors: ['invalid_parameter'],
  answer: async ({ market }, { query: { id } }) => {
    const pair = await market.feedPair(id)
    if (pair === null) return failure(problems.poolNotFound)
    return success({
      pair: {
        id: pair.id,
        dexKey: toDexKey(pair.venue),
        asset0Id: pair.token0,
        asset1Id: pair.token1,
        createdAtBlockNumber: pair.createdBlock,
        createdAtBlockTimestamp: pair.createdTs,
        ...(pair.fee === null ? {} : { feeBps: pair.fee / 100 }),
      },
    })
  },
})

const eventsEndpoint = defineEndpoint({
  path: '/integrations/dexscreener/events',
  operationId: 'listDexScreenerEvents',
  description:
    'Swaps and changes of liquidity of a range of finalized blocks, both ends ' +
    'included, with the reserves after each, as the adapter specification 1.1 of DEX ' +
    'Screener asks for them.',
  tag: 'market',
  summary: 'Lists swaps and changes of liquidity of some settled blocks for DEX Screener.',
  rateLimited: true,
  queryFields: feedRangeFields,
  exampleQuery: 'fromBlock=24880400&toBlock=24880499',
  schema: DexScreenerEventsSchema,
  errors: ['block_not_settled', 'history_pruned'],
  check: checkFeedRange,
  answer: async ({ market }, { query }) => {
    const found = await market.feedEvents(query)
    if (!found.ok) return failure(feedProblem(found.fault))
    const events = found.value.map(toDexScreenerEvent).filter((event) => event !== null)
    return success({ events })
  },
})

export const dexScreenerEndpoints = [
  latestBlockEndpoint,
  assetEndpoint,
  pairEndpoint,
  eventsEndpoint,
]
