import { Type } from 'typebox'
import { lookAlikeSigns } from '../../domain/token/look-alike.ts'
import {
  type ImitationView,
  type ResolvedTokenView,
  resolveMatches,
  resolveResults,
  type UnverifiedTokenView,
  type VerifiedTokenView,
} from '../../domain/views/resolved-token.ts'
import { candidatesMax, lookAlikesMax } from '../../market/market.ts'
import type { RequiredField } from '../http/query.ts'
import {
  addressSchema,
  countSchema,
  describes,
  field,
  listOf,
  nullable,
  nullableUsd,
  poolIdSchema,
  record,
} from './fields.ts'
import { searchField } from './query-fields.ts'

const visible = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]'
const any = '[^\\u0000-\\u001f\\u007f-\\u009f]*'
const { parse, schema } = searchField('')

export const resolvedTextField: RequiredField<string> = {
  description: 'A ticker ($NVDA, nvda), the name of a company, or the address of a token.',
  rule: 'UTF-8 of 1 to 80 characters without control characters',
  schema: Type.With(schema, { pattern: `^${any}${visible}${any}$` }),
  parse: (text) => parse(text) ?? undefined,
  errorCode: 'invalid_parameter',
}

export const VerifiedTokenSchema = describes<VerifiedTokenView>()(
  record('A token whose identity is sure: a verified stock or a trusted token.', {
    address: field(addressSchema, 'The token.', '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'),
    symbol: field(Type.String(), 'Its registered symbol.', 'NVDA'),
    name: field(
      nullable(Type.String()),
      "Name in the issuer's registry; null of a trusted token.",
      'NVIDIA',
    ),
    kind: field(Type.Enum(['stock', 'trusted']), 'What it is (methodology §1).', 'stock'),
    issuer: field(nullable(Type.String()), 'Issuer of a stock token.', 'Robinhood'),
  }),
)

const ImitationSchema = describes<ImitationView>()(
  record('A verified token that another one imitates.', {
    symbol: field(Type.String(), 'Symbol of the verified token.', 'NVDA'),
    address: field(
      nullable(addressSchema),
      'Its address; null of a currency that is no trusted token here.',
      '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
    ),
    signs: field(
      listOf(Type.Enum([...lookAlikeSigns])),
      'same: equal as typed; confusable: equal to the eye only.',
      ['confusable_symbol'],
    ),
  }),
)

export const UnverifiedTokenSchema = describes<UnverifiedTokenView>()(
  record('A token that is not verified.', {
    address: field(addressSchema, 'The token.', '0x5f1c7b9a000000000000000000000000000fa4ed'),
    symbol: field(
      nullable(Type.String()),
      'Its own symbol, cleaned; anybody can choose it.',
      'NVDА',
    ),
    imitates: field(listOf(ImitationSchema), 'Verified tokens that it looks like.', []),
    pools: field(countSchema, 'Pools with a stock that hold it.', 1),
    poolId: field(
      nullable(poolIdSchema),
      'The most liquid of them.',
      '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b',
    ),
    liquidityUsd: nullableUsd('Liquidity of that pool.', 1_204.5),
  }),
)

const tokenField = field(
  nullable(VerifiedTokenSchema),
  'The one verified token; never a look-alike.',
  null,
)

export const ResolvedTokenSchema = describes<ResolvedTokenView>()(
  record('What a ticker, a name or an address stands for (methodology §15).', {
    q: field(Type.String(), 'The text or address asked for.', 'NVDA'),
    result: field(
      Type.Enum([...resolveResults]),
      'verified: token is the answer. candidates: several may be meant. look_alike: the text or ' +
        'the token at the address imitates a verified one. unverified: a token that imitates none.',
      'verified',
    ),
    match: field(
      nullable(Type.Enum([...resolveMatches])),
      'What is equal to q; null if nothing is.',
      'symbol',
    ),
    token: tokenField,
    asked: field(
      nullable(UnverifiedTokenSchema),
      'The token at the address asked for, if it is not verified.',
      null,
    ),
    candidates: field(
      listOf(VerifiedTokenSchema, candidatesMax),
      'Verified tokens that may be meant or are imitated.',
      [],
    ),
    lookAlikes: field(
      listOf(UnverifiedTokenSchema, lookAlikesMax),
      'Tokens that imitate the token or the candidates, the most liquid first.',
      [],
    ),
    lookAlikesTotal: field(countSchema, 'How many there are of them.', 1),
  }),
)
