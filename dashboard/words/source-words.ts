import type { Status } from '../../src/client/types.ts'

type SourceRow = Status['sources'][number]

export const sourceWords: Readonly<Record<SourceRow['source'], string>> = {
  quotes: 'Reference prices of the stocks',
  pools: 'Pools: state, reserves and values',
  swaps: 'Swaps, confirmed on the chain',
  screener: 'Third-party screener, to compare',
}

export const stateWords: Readonly<Record<SourceRow['state'], string>> = {
  pending: 'has not answered yet',
  ok: 'answers within its age limit',
  degraded: 'answered in part, or failed just now',
  stale: 'is older than its age limit',
  down: 'has not answered for long',
  disabled: 'is switched off',
}

export const phaseWords: Readonly<Record<string, string>> = {
  discover: 'Finding pools',
  liquidity: 'Reading liquidity',
  state: 'Reading prices',
  swaps: 'Reading past swaps',
  done: 'Complete',
}
