import { type Miner, mineFreshBlocks } from '../chain/miner.ts'
import type { ChainNode } from '../chain/node.ts'
import type { RpcGate } from '../http/rpc-gate.ts'
import type { LiveMarket } from '../market/live.ts'

/** Periodically restarts the node without its call traces. */
export type NodeRenewal = {
  readonly renew: () => Promise<void>
  readonly stop: () => void
}

/** Frees about 150 MB each time and delays requests for about a second. */
const renewEverySeconds = 900

export function startNodeRenewal(
  node: ChainNode,
  miner: Miner,
  live: LiveMarket,
  rpcGate: RpcGate,
): NodeRenewal {
  let pending: Promise<void> | null = null
  const renewOnce = (): Promise<void> =>
    live.pauseDuring(() =>
      miner.pauseDuring(() =>
        rpcGate.holdRequestsDuring(async () => {
          await node.renew()
          await mineFreshBlocks(node.rpc)
        }),
      ),
    )
  const renew = (): Promise<void> => {
    pending ??= renewOnce().finally(() => {
      pending = null
    })
    return pending
  }
  // A failed renewal is retried at the next interval; a dead node is reported elsewhere.
  const timer = setInterval(() => renew().catch(() => undefined), renewEverySeconds * 1_000)
  return { renew, stop: () => clearInterval(timer) }
}
