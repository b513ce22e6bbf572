import type { Stock, StockListing } from '../../../src/domain/stock/stock.ts'
import type { StandardOf } from '../../../src/domain/stock/stock-standard.ts'
import { createStockRegistry } from '../../../src/indexer/enrich/stock-registry.ts'
import type { ChainReader } from '../../../src/ports/chain-reader.ts'
import type { Logger } from '../../../src/ports/runtime.ts'
import type { StockListSource } from '../../../src/ports/sources.ts'
import { tokens } from '../domain/sample-market.ts'
import { beaconStandard } from '../domain/sample-standard.ts'
import { createFakeChain } from './fake-chain.ts'
import { createJournal } from './journal.ts'
import { beacon, listingOf } from './market.ts'
import { openClaimedStore } from './stored.ts'

type Given = {
  readonly shipped?: readonly StockListing[]
  readonly listSource?: StockListSource | null
  readonly stored?: readonly Stock[]
  readonly logger?: Logger
  readonly chain?: ChainReader
  readonly standardOf?: StandardOf
}

/** A chain with one block, an empty store and a clock, for stock registries. */
export const openRegistryStage = async () => {
  const store = await openClaimedStore()
  const chain = createFakeChain()
  chain.mine()
  const clock = { ts: 500 }
  const createRegistry = (given: Given = {}) =>
    createStockRegistry({
      confirmedBlock: chain.confirmedBlock,
      chain: chain.reader,
      store,
      clock: { now: () => clock.ts },
      logger: createJournal().logger,
      shipped: [listingOf(tokens.apple, 'AAPL')],
      listSource: null,
      standardOf: beaconStandard(beacon),
      stored: [],
      ...given,
    })
  const recorded = () => store.snapshot((snapshot) => snapshot.stocksChangedAfter(-1))
  return { store, chain, clock, createRegistry, recorded }
}

export type RegistryStage = Awaited<ReturnType<typeof openRegistryStage>>

/** A live list that answers so by turns; null and every later answer: it is unreachable. */
export const registryOf = (
  ...answers: readonly (readonly StockListing[] | null)[]
): StockListSource => {
  const left = [...answers]
  return {
    read: async () => {
      const next = left.shift() ?? null
      return next === null
        ? { ok: false, fault: { kind: 'unreachable', detail: 'refused' } }
        : { ok: true, value: next }
    },
  }
}
