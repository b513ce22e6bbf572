import { Type } from 'typebox'
import type { Address } from '../../domain/units.ts'
import {
  priceConfidences,
  priceReasons,
  priceSources,
  type TokenPricesView,
  type TokenPriceView,
} from '../../domain/views/token-price.ts'
import type { RequiredField } from '../http/query.ts'
import {
  addressSchema,
  describes,
  field,
  listOf,
  nullable,
  nullableUsd,
  poolIdSchema,
  record,
  secondsSchema,
} from './fields.ts'
import { marketSessionSchema } from './stock.ts'

/** As many as a wallet shows, and as fit into a URL. */
const pricedAddressesMax = 100

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const listPattern = `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${pricedAddressesMax - 1}}$`
const listRule = `1 to ${pricedAddressesMax} addresses, separated by commas`
/** So much of a malformed address is repeated in the error. */
const shownCharsMax = 50

const isAddress = (text: string): text is Address => addressPattern.test(text)

const parseAddresses = (text: string): readonly Address[] | undefined => {
  const addresses = text.split(',')
  if (addresses.length > pricedAddressesMax || !addresses.every(isAddress)) return undefined
  return addresses.map((address) => address.toLowerCase() as Address)
}

const explainAddresses = (text: string): string => {
  const parts = text.split(',')
  if (parts.length > pricedAddressesMax) return `${listRule}; these are ${parts.length}`
  const wrong = parts.findIndex((part) => !isAddress(part))
  const shown = JSON.stringify((parts[wrong] ?? '').slice(0, shownCharsMax))
  return `${listRule}; number ${wrong + 1}, ${shown}, is not 0x and 40 hexadecimal digits`
}

export const addressesField: RequiredField<readonly Address[]> = {
  description: 'Token addresses, separated by commas; case-insensitive.',
  rule: listRule,
  schema: Type.String({ pattern: listPattern }),
  parse: parseAddresses,
  explain: explainAddresses,
  errorCode: 'invalid_parameter',
}

export const TokenPriceSchema = describes<TokenPriceView>()(
  record('The price of a token, and how far it can be relied on (methodology §13).', {
    address: field(addressSchema, 'The token.', '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'),
    symbol: field(
      nullable(Type.String()),
      'Registered symbol of a stock or quote token, else its own, which anybody can choose.',
      'NVDA',
    ),
    usd: nullableUsd('Price of one token.', 225.61),
    source: field(
      nullable(Type.Enum([...priceSources])),
      'pool: the price in one pool. Else the source of its reference; pools is their median.',
      'pool',
    ),
    ageSeconds: field(nullable(secondsSchema), 'Age of the oldest input of the price.', 2),
    session: field(
      nullable(marketSessionSchema),
      'Session of the US equity market, for stocks and for tokens priced by one.',
      'regular',
    ),
    depthUsd: nullableUsd("Depth of the stock's best pool, or of the pool that prices it.", 52_300),
    confidence: field(Type.Enum([...priceConfidences]), 'none: there is no price.', 'high'),
    reasons: field(
      listOf(Type.Enum([...priceReasons])),
      'Why there is no price or no higher confidence; may be empty.',
      [],
    ),
    poolId: field(
      nullable(poolIdSchema),
      'The pool whose price it is; null for a reference.',
      '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b',
    ),
  }),
)

export const TokenPricesSchema = describes<TokenPricesView>()(
  record('Prices of tokens, all of one snapshot.', {
    items: field(
      listOf(TokenPriceSchema, pricedAddressesMax),
      'A price for each address of the request, in its order.',
      [],
    ),
  }),
)
