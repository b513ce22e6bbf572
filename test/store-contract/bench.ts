import type { ChainIdentity } from '../../src/domain/chain/chain-identity.ts'
import type { Store, StoreReader } from '../../src/ports/store.ts'

/** One empty store, made for one test. */
export type StoreBench = {
  readonly store: Store
  /** Closes the store and opens it again on what it kept. */
  readonly reopen: () => Promise<Store>
  /** One more connection to the same store; the caller closes it. */
  readonly connect: () => Promise<StoreReader & Pick<Store, 'close'>>
  readonly dispose: () => Promise<void>
}

/** A fresh bench whose store is claimed, for `chain` by default; it is gone when the test ends. */
export type OpenBench = (identity?: ChainIdentity) => Promise<StoreBench>
