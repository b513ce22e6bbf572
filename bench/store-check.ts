import { isDeepStrictEqual } from 'node:util'
import {
  chainEventLines,
  chainPoolStates,
  compareLines,
  storedEventLines,
  storedPoolStates,
} from './canonical.ts'
import { createSyntheticChain, type SyntheticChain } from './chain/generate.ts'
import { lastChainBlock } from './chain/params.ts'
import { confirmations, openStore } from './indexing.ts'

/** What is wrong with a store that should hold the whole chain; null if nothing is. */
export const findStoreMismatch = async (
  chain: SyntheticChain,
  storePath: string,
): Promise<string | null> => {
  const store = openStore(storePath)
  const to = lastChainBlock(chain.params) - confirmations
  const held = await storedEventLines(store, to)
  const { missing, surplus } = compareLines(chainEventLines(chain, to), held)
  const states = await storedPoolStates(store)
  await store.close()
  if (missing.length + surplus.length > 0) {
    return `${missing.length} events are missing, ${surplus.length} are not the chain's`
  }
  const told = chainPoolStates(createSyntheticChain(chain.params, to))
  const wrong = [...told].filter(([id, state]) => !isDeepStrictEqual(states.get(id), state))
  return wrong.length === 0 ? null : `${wrong.length} pools are in another state`
}
