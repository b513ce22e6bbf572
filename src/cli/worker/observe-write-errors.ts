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
export const hearWriteFaults = (store: Store, onFault: OnFault): Store => ({
  ...store,
  begin: heard(store.begin, onFault),
  commit: heard(store.commit, onFault),
  replaceMap: heard(store.replaceMap, onFault),
  recordReading: heard(store.recordReading, onFault),
  dropReading: heard(store.dropReading, onFault),
  adopt: heard(store.adopt, onFault),
  fillHistory: heard(store.fillHistory, onFault),
  recordBackfill: heard(store.recordBackfill, onFault),
  recordSearched: heard(store.recordSearched, onFault),
  replaceBranch: heard(store.replaceBranch, onFault),
  settle: heard(store.settle, onFault),
  recordHead: heard(store.recordHead, onFault),
  recordTokens: heard(store.recordTokens, onFault),
  recordStocks: heard(store.recordStocks, onFault),
  recordSource: heard(store.recordSource, onFault),
  recordEnrichment: heard(store.recordEnrichment, onFault),
  prune: heard(store.prune, onFault),
})
