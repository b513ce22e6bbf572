import { type Miner, mineFreshBlocks } from '../chain/miner.ts'
import type { ChainNode } from '../chain/node.ts'
import type { RpcGate } from '../http/rpc-gate.ts'
import type { LiveMarket } from '../market/live.ts'

/** Keeps the node lean while the sandbox runs. */
export type NodeRenewal = {
  readonly renew: () => Promise<void>
  readonly stop: () => void
}

/** Some 150 MB each time, for about a second of held requests. */
const renewEverySeconds = 900

export function startNodeRenewal(
  node: ChainNode,
  miner: Miner,
  live: LiveMarket,
  gate: RpcGate,
): NodeRenewal {
  let renewing: Promise<void> | null = null
  const renewOnce = (): Promise<void> =>
    live.pauseDuring(() =>
      miner.pauseDuring(() =>
        gate.holdRequestsDuring(async () => {
          await node.renew()
          await mineFreshBlocks(node.rpc)
        }),
      ),
    )
  const renew = (): Promise<void> => {
    renewing ??= renewOnce().finally(() => {
      renewing = null
    })
    return renewing
  }
  // A renewal that did not come about is tried again the next time; a node that died is told.
  const timer = setInterval(() => renew().catch(() => undefined), renewEverySeconds * 1_000)
  return { renew, stop: () => clearInterval(timer) }
}
