import { nextProbe } from '../../domain/chain/block-at.ts'
import type { Anchor } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { ChainReader, RpcFault } from '../../ports/chain.ts'

/** The first block that holds anything of `ts` or later, or at most a minute before it. */
export const findHistoryFloor = async (
  chain: ChainReader,
  span: { readonly origin: BlockNumber; readonly top: Anchor },
  ts: UnixSeconds,
): Promise<Outcome<BlockNumber, RpcFault>> => {
  // Before it there is no block whose hash the history could end with.
  const first = await chain.anchor(Math.max(1, span.origin))
  if (!first.ok) return first
  if (first.value.ts >= ts) return success(first.value.block)
  let [low, high] = [first.value, span.top]
  for (let tries = 0; ; tries++) {
    const probe = nextProbe(low, high, { ts, tries })
    if (probe === null) return success(low.block)
    const anchor = await chain.anchor(probe)
    if (!anchor.ok) return anchor
    if (anchor.value.ts < ts) low = anchor.value
    else high = anchor.value
  }
}
