import { type Miner, mineFreshBlocks } from '../chain/miner.ts'
import type { ChainNode } from '../chain/node.ts'
import type { Gate } from '../http/rpc-gate.ts'
import type { Live } from '../market/live.ts'

/** Keeps the node lean while the sandbox runs. */
export type Upkeep = {
  readonly renew: () => Promise<void>
  readonly stop: () => void
}

/** Some 150 MB each time, for about a second of held requests. */
const renewEverySeconds = 900

export function startUpkeep(node: ChainNode, miner: Miner, live: Live, gate: Gate): Upkeep {
  let renewing: Promise<void> | null = null
  const renewOnce = (): Promise<void> =>
    live.rest(() =>
      miner.rest(() =>
        gate.holdDuring(async () => {
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
