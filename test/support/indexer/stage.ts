import { vi } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { createFakeChain, type FakeChain } from './fake-chain.ts'
import { createMarket, type Market } from './market.ts'
import { freezeTime } from './run.ts'
import { openStore } from './stored.ts'

export type Stage = { readonly store: Store; readonly chain: FakeChain; readonly market: Market }

/** An empty store and an empty chain in frozen time; `beforeEach` may return `close`. */
export const openStage = (ts: number): Stage & { readonly close: () => Promise<void> } => {
  freezeTime(ts)
  const store = openStore()
  const chain = createFakeChain()
  const close = async (): Promise<void> => {
    await store.close()
    vi.useRealTimers()
  }
  return { store, chain, market: createMarket(chain), close }
}
