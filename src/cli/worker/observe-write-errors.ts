import type { Store } from '../../ports/store.ts'

type OnFault = (error: unknown) => void

const heard =
  <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>, onFault: OnFault) =>
  async (...given: Given): Promise<Result> => {
    try {
      return await call(...given)
    } catch (error) {
      onFault(error)
      throw error
    }
  }

/** The same store; every write that fails is told before its caller learns of it. */
export const observeWriteErrors = (store: Store, onFault: OnFault): Store => ({
  ...store,
  claim: heard(store.claim, onFault),
  commitRange: heard(store.commitRange, onFault),
  replaceTickMap: heard(store.replaceTickMap, onFault),
  commitBootstrap: heard(store.commitBootstrap, onFault),
  resetIndex: heard(store.resetIndex, onFault),
  seedPools: heard(store.seedPools, onFault),
  commitBackfill: heard(store.commitBackfill, onFault),
  recordProgress: heard(store.recordProgress, onFault),
  recordDiscoveredStocks: heard(store.recordDiscoveredStocks, onFault),
  replaceBranch: heard(store.replaceBranch, onFault),
  advanceFinalized: heard(store.advanceFinalized, onFault),
  recordHead: heard(store.recordHead, onFault),
  recordTokens: heard(store.recordTokens, onFault),
  recordStocks: heard(store.recordStocks, onFault),
  recordSource: heard(store.recordSource, onFault),
  recordEnrichment: heard(store.recordEnrichment, onFault),
  prune: heard(store.prune, onFault),
})
