import type { Store } from '../../ports/store.ts'

type OnFault = (error: unknown) => void

const observed =
  <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>, onFault: OnFault) =>
  async (...given: Given): Promise<Result> => {
    try {
      return await call(...given)
    } catch (error) {
      onFault(error)
      throw error
    }
  }

/** The same store; `onFault` sees a failed write before its caller does. */
export const observeWriteErrors = (store: Store, onFault: OnFault): Store => ({
  ...store,
  claim: observed(store.claim, onFault),
  commitRange: observed(store.commitRange, onFault),
  replaceTickMap: observed(store.replaceTickMap, onFault),
  recordDepths: observed(store.recordDepths, onFault),
  commitBootstrap: observed(store.commitBootstrap, onFault),
  resetIndex: observed(store.resetIndex, onFault),
  seedPools: observed(store.seedPools, onFault),
  commitBackfill: observed(store.commitBackfill, onFault),
  recordProgress: observed(store.recordProgress, onFault),
  recordSearches: observed(store.recordSearches, onFault),
  forgetSearches: observed(store.forgetSearches, onFault),
  replaceBranch: observed(store.replaceBranch, onFault),
  advanceFinalized: observed(store.advanceFinalized, onFault),
  recordHead: observed(store.recordHead, onFault),
  recordCoverage: observed(store.recordCoverage, onFault),
  recordCoveragePass: observed(store.recordCoveragePass, onFault),
  recordTokens: observed(store.recordTokens, onFault),
  recordStocks: observed(store.recordStocks, onFault),
  recordSource: observed(store.recordSource, onFault),
  recordEnrichment: observed(store.recordEnrichment, onFault),
  prune: observed(store.prune, onFault),
})
