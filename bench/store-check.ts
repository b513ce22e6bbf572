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

/** Compares a store with the complete chain; null if they match. */
export const findStoreMismatch = async (
  chain: SyntheticChain,
  storePath: string,
): Promise<string | null> => {
  const store = openStore(storePath)
  const to = lastChainBlock(chain.params) - confirmations
  const stored = await storedEventLines(store, to)
  const { missing, surplus } = compareLines(chainEventLines(chain, to), stored)
  const states = await storedPoolStates(store)
  await store.close()
  if (missing.length + surplus.length > 0) {
    return `${missing.length} events are missing and ${surplus.length} are unexpected`
  }
  const expected = chainPoolStates(createSyntheticChain(chain.params, to))
  const wrong = [...expected].filter(([id, state]) => !isDeepStrictEqual(states.get(id), state))
  return wrong.length === 0 ? null : `${wrong.length} pools have another state than the chain`
}
