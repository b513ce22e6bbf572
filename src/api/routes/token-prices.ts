import { success } from '../../domain/outcome.ts'
import { addressesField, TokenPricesSchema } from '../schemas/token-price.ts'
import { defineEndpoint } from './route.ts'

export const tokenPricesEndpoint = defineEndpoint({
  path: '/api/v1/prices',
  operationId: 'getPrices',
  description:
    'A price for each token, in the order of the request: of stocks, trusted tokens ' +
    'and tokens that have a pool with a stock. `confidence` follows a published rule ' +
    '(methodology §13); a token that is not known has an item without a price.',
  tag: 'market',
  summary: 'Returns the dollar prices of tokens by address, with a confidence, as wallets need it.',
  rateLimited: true,
  queryFields: { addresses: addressesField },
  exampleQuery: 'addresses=0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
  schema: TokenPricesSchema,
  answer: async ({ market }, { query }) => success(await market.prices(query.addresses)),
})
