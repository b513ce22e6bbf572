import type { Anchor } from '../domain/chain/chain-log.ts'
import { afterForkProbe, beginForkSearch, nextForkProbe } from '../domain/chain/fork.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { ChainReader } from '../ports/chain.ts'
import type { Store } from '../ports/store.ts'
import type { StoreHeader } from '../ports/store-rows.ts'
import type { ChainFault } from './chain-fault.ts'

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly origin: BlockNumber
}

/** The chain's own word on a block that must not change any more. */
const readUnchanged = async (
  chain: ChainReader,
  block: BlockNumber,
  { hash, name }: { readonly hash: string; readonly name: string },
): Promise<Outcome<Anchor, ChainFault>> => {
  const now = await chain.anchor(block)
  if (!now.ok || now.value.hash === hash) return now
  const detail = `the ${name} block ${block} was ${hash}, and the chain says ${now.value.hash}`
  return failure({ kind: 'finality-violated', detail })
}

/** Where a first reading that was no following ended: what is below can not be taken back. */
const readTop = async (
  { chain, store }: Pick<Deps, 'chain' | 'store'>,
  top: BlockNumber,
): Promise<Outcome<Anchor, ChainFault>> => {
  const kept = await store.readAnchor(top)
  return kept?.block === top
    ? readUnchanged(chain, top, { hash: kept.hash, name: 'first' })
    : chain.anchor(top)
}

/**
 * The block that we share with the chain in any case: the settled one or, before the first, the
 * one where reading began.
 */
export const readBase = async (
  { chain, store, origin }: Deps,
  { settled, identity, history }: StoreHeader,
): Promise<Outcome<Anchor, ChainFault>> => {
  if (settled !== null) {
    return readUnchanged(chain, settled.block, { hash: settled.hash, name: 'settled' })
  }
  if (history !== null) return readTop({ chain, store }, history.top)
  const { originHash } = identity
  return originHash === null
    ? chain.anchor(origin)
    : readUnchanged(chain, origin, { hash: originHash, name: 'first' })
}

/** The last kept block that is still on the chain, below one that is not (methodology §7). */
export const findForkPoint = async (
  deps: Deps,
  header: StoreHeader,
  replaced: BlockNumber,
): Promise<Outcome<Anchor, ChainFault>> => {
  const base = await readBase(deps, header)
  if (!base.ok) return base
  let search = beginForkSearch(base.value, replaced)
  for (let probe = nextForkProbe(search); probe !== null; probe = nextForkProbe(search)) {
    const anchor = await deps.store.readAnchor(probe)
    const isNew = anchor !== null && anchor.block > search.low
    const now = isNew ? await deps.chain.anchor(anchor.block) : null
    if (now?.ok === false) return now
    const found = isNew && now ? { anchor, isOnChain: now.value.hash === anchor.hash } : null
    search = afterForkProbe(search, probe, found)
  }
  return success(search.kept)
}
