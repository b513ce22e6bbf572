import { readFile, stat } from 'node:fs/promises'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { PublishedQuote, QuoteRefusal } from '../domain/price/quote.ts'
import type { UnixSeconds } from '../domain/units.ts'
import { isRecord, type JsonRecord, parseJson } from '../net/json.ts'
import type {
  QuoteBatch,
  QuoteRequest,
  QuoteSource,
  RejectedQuote,
  SourceFault,
} from '../ports/sources.ts'
import { checkPublishedTs, readBidAsk } from './bid-ask.ts'

/** About 10,000 quotes. */
const fileBytesMax = 2 * 1024 * 1024

type Rows = readonly JsonRecord[]

const unreachable = (what: string): { readonly ok: false; readonly fault: SourceFault } =>
  failure({ kind: 'unreachable', detail: `quotes file: ${what}` })
const malformedFile = (what: string): { readonly ok: false; readonly fault: SourceFault } =>
  failure({ kind: 'malformed', detail: `quotes file: ${what}` })

const parseRows = (text: string): Outcome<Rows, SourceFault> => {
  const json = parseJson(text.replace(/^\uFEFF/, ''))
  if (!json.ok) return malformedFile('not valid JSON')
  const rows = isRecord(json.value) ? json.value.quotes : null
  if (!Array.isArray(rows)) return malformedFile('expected a list "quotes"')
  const complete = rows.filter(isRecord).filter(({ symbol }) => typeof symbol === 'string')
  return complete.length === rows.length
    ? success(complete)
    : malformedFile('expected a symbol in every row')
}

const readQuote = (
  row: JsonRecord,
  { address }: QuoteRequest,
  now: UnixSeconds,
): Outcome<PublishedQuote, QuoteRefusal> => {
  const { halted = false } = row
  if (typeof halted !== 'boolean') return failure('halt-malformed')
  const sides = readBidAsk(row.bid, row.ask)
  if (!sides.ok) return sides
  const publishedTs = checkPublishedTs(typeof row.ts === 'number' ? row.ts : Number.NaN, now)
  if (!publishedTs.ok) return publishedTs
  return success({
    address,
    source: 'file',
    per: 'share',
    ...sides.value,
    last: null,
    publishedTs: publishedTs.value,
    fetchedTs: now,
    halted,
    haltTs: publishedTs.value,
    lapse: null,
  })
}

const selectQuotes = (
  rows: Rows,
  wanted: readonly QuoteRequest[],
  now: UnixSeconds,
): QuoteBatch => {
  const bySymbol = new Map(rows.map((row) => [row.symbol, row]))
  const quotes: PublishedQuote[] = []
  const refused: RejectedQuote[] = []
  for (const token of wanted) {
    const row = bySymbol.get(token.symbol)
    if (row === undefined) continue
    const quote = readQuote(row, token, now)
    if (quote.ok) quotes.push(quote.value)
    else refused.push({ address: token.address, symbol: token.symbol, reason: quote.fault })
  }
  return { quotes, refused, expected: quotes.length + refused.length }
}

/** The error code; the message contains the path. */
const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code === 'ENOENT' ? 'no such file' : error.code
  }
  throw error
}

/**
 * Quotes per share from a file of the operator: `{ "quotes": [{ "symbol": "NVDA", "bid": 225.38,
 * "ask": 225.39, "ts": 1795215600, "halted": false }] }`. It is parsed again whenever it changes.
 */
export const createFileSource = (deps: { readonly path: string }): QuoteSource => {
  let parsed: { readonly version: string; readonly rows: Outcome<Rows, SourceFault> } | null = null

  const readRows = async (): Promise<Outcome<Rows, SourceFault>> => {
    try {
      const { mtimeMs, size, ino } = await stat(deps.path)
      if (size > fileBytesMax) return malformedFile('larger than 2 MB')
      const version = `${mtimeMs}-${size}-${ino}`
      if (parsed?.version !== version) {
        parsed = { version, rows: parseRows(await readFile(deps.path, 'utf8')) }
      }
      return parsed.rows
    } catch (error) {
      return unreachable(codeOf(error))
    }
  }

  return {
    id: 'file',
    read: async (wanted, now) => {
      const rows = await readRows()
      return rows.ok ? success(selectQuotes(rows.value, wanted, now)) : rows
    },
  }
}
