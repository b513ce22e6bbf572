import type { ReferencePoint } from '../pool/stored-rows.ts'
import type { Quote } from '../price/quote.ts'
import { quotedTokenUsd } from '../price/quoted-usd.ts'
import type { ReferencePrice, ReferenceResult } from '../price/reference-price.ts'
import { multiplierAt } from '../stock/multiplier.ts'
import type { UnixSeconds } from '../units.ts'
import { isOtherSideExternal } from '../valuation/value-pool.ts'
import type { PoolView } from '../views/pool.ts'
import type { InputSource } from '../views/provenance.ts'
import type { Ledger, LedgerInput } from './ledger.ts'
import {
  conditionOf,
  inputOf,
  type PoolFacts,
  serviceSource,
  type TokenQuotes,
} from './pool-facts.ts'

type ReferenceField = 'stockReferenceUsd' | 'otherReferenceUsd' | 'lastReferenceUsd'

const quoteSource = ({ source, publishedTs, fetchedTs }: Quote): InputSource => ({
  kind: 'quote',
  source,
  publishedTs,
  fetchedTs,
})

const priceInputs = (quote: Quote): readonly LedgerInput[] => {
  const source = quoteSource(quote)
  const unit = quote.per === 'share' ? 'US dollars per share' : 'US dollars per token'
  const { bid, ask, last } = quote
  return last === null
    ? [inputOf('bid', bid, { unit, source }), inputOf('ask', ask, { unit, source })]
    : [inputOf('last', last, { unit, source })]
}

/** The multiplier that the quote goes with, from the token's contract or the network file. */
const multiplierInput = (
  multiplier: bigint | null,
  { address, multiplierCall }: TokenQuotes,
  now: UnixSeconds,
): LedgerInput =>
  inputOf('multiplier', multiplier === null ? null : String(multiplier), {
    unit: 'shares per token · 10^18',
    source:
      multiplierCall === null
        ? serviceSource(now)
        : { kind: 'read', to: address, ...multiplierCall, block: null, blockHash: null },
    reason: 'quote_missing',
  })

const formulaOf = (quote: Quote): 'shareBook' | 'shareLast' | 'token' => {
  if (quote.per === 'token') return 'token'
  return quote.last === null ? 'shareBook' : 'shareLast'
}

const keptSource = ({ source, ts, width }: ReferencePoint): InputSource => ({
  kind: 'reference',
  source,
  fromTs: ts,
  toTs: ts + width,
})

/** A past reference: its quote and multiplier are not kept. */
const recordFromKept = (
  ledger: Ledger,
  field: ReferenceField,
  { usd, kept }: { readonly usd: number; readonly kept: ReferencePoint },
): void => {
  const unit = 'US dollars per token'
  const last = inputOf('last', kept.usd, { unit, source: keptSource(kept) })
  ledger.record(field, 'token', { value: usd, inputs: [last] })
}

/** From the quote as it is; or, of a jump that is not confirmed, what was accepted before it. */
const recordFromQuote = (
  ledger: Ledger,
  field: ReferenceField,
  {
    reference,
    quote,
    token,
    now,
  }: {
    readonly reference: ReferencePrice
    readonly quote: Quote
    readonly token: TokenQuotes
    readonly now: UnixSeconds
  },
): void => {
  const { usd } = reference
  const time = { ts: quote.publishedTs, now }
  const multiplier = token.multiplier && multiplierAt(token.multiplier, time)
  const quoted = quotedTokenUsd(quote, multiplier)
  if (quoted === usd) {
    const own = quote.per === 'share' ? [multiplierInput(multiplier, token, now)] : []
    const inputs = [...priceInputs(quote), ...own]
    ledger.record(field, formulaOf(quote), { value: usd, inputs })
    return
  }
  if (quote.source === 'pools' && field === 'otherReferenceUsd') {
    ledger.record(field, 'pegged', { value: usd, inputs: priceInputs(quote) })
    return
  }
  const source = quoteSource({ ...quote, publishedTs: quote.acceptedTs ?? quote.publishedTs })
  const accepted = inputOf('accepted', quote.acceptedUsd, {
    unit: 'US dollars per token',
    source,
  })
  ledger.record(field, 'accepted', { value: usd, inputs: [accepted] })
}

/** A wrapper's, from that of its asset. */
const recordFromAsset = (
  ledger: Ledger,
  field: ReferenceField,
  given: {
    readonly reference: ReferencePrice | null
    readonly asset: ReferencePrice | null
    readonly token: TokenQuotes
    readonly now: UnixSeconds
  },
): void => {
  const { reference, asset, token, now } = given
  const assetUsd = inputOf('assetUsd', asset?.usd ?? null, {
    unit: 'US dollars per token of the asset',
    source: serviceSource(now),
    reason: 'quote_missing',
  })
  const multiplier = multiplierInput(token.multiplier?.current ?? null, token, now)
  ledger.record(field, 'wrapper', {
    value: reference?.usd ?? null,
    inputs: [assetUsd, multiplier],
  })
}

const recordReference = (
  ledger: Ledger,
  field: ReferenceField,
  given: {
    readonly reference: ReferencePrice | null
    readonly token: TokenQuotes
    readonly now: UnixSeconds
  },
): void => {
  const { reference, token, now } = given
  if (reference !== null && token.kept !== null) {
    recordFromKept(ledger, field, { usd: reference.usd, kept: token.kept })
    return
  }
  if (token.asset !== null) {
    const isLast = field === 'lastReferenceUsd'
    const asset = isLast ? token.asset.lastExternal : token.asset.reference
    recordFromAsset(ledger, field, { reference, asset, token, now })
    return
  }
  const quote = token.quotes.find(({ source }) => source === reference?.source)
  if (reference !== null && quote !== undefined) {
    recordFromQuote(ledger, field, { reference, quote, token, now })
    return
  }
  const source = serviceSource(now)
  const unit = 'US dollars per token'
  const none = inputOf('last', null, { unit, source, reason: 'quote_missing' })
  ledger.record(field, 'token', { value: null, inputs: [none] })
}

const recordDollarPrices = (ledger: Ledger, record: PoolView): void => {
  const { stockPriceUsd, otherPriceUsd } = record
  const ratio = ledger.use('stockPriceInOther')
  const stock = ledger.use('stockReferenceUsd')
  if (record.kind === 'meme') {
    ledger.record('stockPriceUsd', 'reference', { value: stockPriceUsd, inputs: [stock] })
    ledger.record('otherPriceUsd', 'implied', { value: otherPriceUsd, inputs: [stock, ratio] })
    return
  }
  const other = ledger.use('otherReferenceUsd')
  ledger.record('stockPriceUsd', 'implied', { value: stockPriceUsd, inputs: [ratio, other] })
  ledger.record('otherPriceUsd', 'reference', { value: otherPriceUsd, inputs: [other] })
}

const sourceOfReference = (
  reading: ReferenceResult | null,
  token: TokenQuotes | null,
  now: UnixSeconds,
): InputSource => {
  if (reading?.reference && token?.kept) return keptSource(token.kept)
  const quote = token?.quotes.find(({ source }) => source === reading?.reference?.source)
  return quote === undefined ? serviceSource(now) : quoteSource(quote)
}

const recordPremium = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const { inputs, context } = facts
  const clock = serviceSource(context.now)
  const isOpen = inputs.stock.session !== 'closed'
  const isFit = isOtherSideExternal(inputs)
  const isIndependent = inputs.stock.reading.reference?.independent ?? false
  const otherSource = sourceOfReference(inputs.other, facts.otherQuotes, context.now)
  const stockSource = sourceOfReference(inputs.stock.reading, facts.stockQuotes, context.now)
  const implied = conditionOf('implied', record.kind !== 'meme', clock)
  const price = ledger.use('stockPriceUsd')
  const premiumReason = () => {
    if (record.kind === 'meme') return 'meme_pool'
    if (price.value === null) return price.reason
    if (!isOpen) return 'market_closed'
    if (!isFit) return 'other_price_missing'
    return isIndependent ? 'premium_implausible' : 'quote_old'
  }
  ledger.record('premiumBps', 'own', {
    value: record.premiumBps,
    inputs: [
      implied,
      conditionOf('open', isOpen, clock),
      conditionOf('otherFit', isFit, otherSource),
      conditionOf('independent', isIndependent, stockSource),
      price,
      ledger.use('stockReferenceUsd'),
    ],
    reason: premiumReason(),
  })
  const last = ledger.use('lastReferenceUsd')
  const driftReason = () => {
    if (record.kind === 'meme') return 'meme_pool'
    if (price.value === null) return price.reason
    if (isOpen) return 'market_open'
    return last.value === null ? last.reason : 'premium_implausible'
  }
  ledger.record('driftBps', 'own', {
    value: record.driftBps,
    inputs: [implied, conditionOf('closed', !isOpen, clock), price, last],
    reason: driftReason(),
  })
}

/** References, prices in dollars, premium and drift. */
export const explainReferences = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const { inputs, context, stockQuotes, otherQuotes } = facts
  const { now } = context
  const { reference, lastExternal } = inputs.stock.reading
  const ofStock = { token: stockQuotes, now }
  recordReference(ledger, 'stockReferenceUsd', { ...ofStock, reference })
  recordReference(ledger, 'lastReferenceUsd', { ...ofStock, reference: lastExternal })
  if (otherQuotes !== null) {
    const otherReference = inputs.other?.reference ?? null
    recordReference(ledger, 'otherReferenceUsd', {
      token: otherQuotes,
      now,
      reference: otherReference,
    })
  }
  recordDollarPrices(ledger, record)
  recordPremium(ledger, record, facts)
}
