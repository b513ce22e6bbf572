import type { Status, Stock } from '../../src/client/types.ts'

type SourceRow = Status['sources'][number]

export const sourceWords: Readonly<Record<SourceRow['source'], string>> = {
  quotes: 'Reference prices of the stocks',
  pools: 'Pools: state, reserves and values',
  swaps: 'Swaps, confirmed on the chain',
  screener: 'Third-party screener, for comparison',
}

export const stateWords: Readonly<Record<SourceRow['state'], string>> = {
  pending: 'has not responded yet',
  ok: 'is within its age limit',
  degraded: 'responded in part, or failed recently',
  stale: 'is older than its age limit',
  down: 'has not responded for a long time',
  disabled: 'is disabled',
}

export const phaseWords: Readonly<Record<string, string>> = {
  discover: 'Finding pools',
  liquidity: 'Reading liquidity',
  state: 'Reading prices',
  swaps: 'Backfilling swaps',
  done: 'Complete',
}

export const quoteSourceText = ({ quoteSource }: Pick<Stock, 'quoteSource'>): string =>
  quoteSource === null ? 'No quote' : `Quote by ${quoteSource}`
