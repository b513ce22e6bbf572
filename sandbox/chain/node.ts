import { removeFiles } from '../files.ts'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import type { Rpc } from './rpc.ts'

/** An anvil that can be exchanged for a leaner one on the same chain and port. */
export type ChainNode = {
  readonly rpc: Rpc
  /** Settles with a reason when the node ends without being asked. */
  readonly died: Promise<string>
  /**
   * Lets the node write its state, slims it and starts again from there. Call traces pile up, and
   * every kept state holds the hashes of all blocks since the last start (190 bytes each): without
   * this a few hours would take gigabytes. Calls fail meanwhile, for about a second.
   */
  readonly renew: () => Promise<void>
  /** Ends the node in order; true if it wrote its state. */
  readonly stop: (politeMillis: number) => Promise<boolean>
}

/** Takes a second; a node that is ended before it has written its state is lost. */
const dumpMillisMax = 120_000

export async function startNode(options: AnvilOptions): Promise<ChainNode> {
  let anvil: Anvil = await startAnvil(options)
  let isExpected = false
  let tellDeath = (_reason: string): void => undefined
  const died = new Promise<string>((resolve) => {
    tellDeath = resolve
  })
  const watch = (watched: Anvil): void => {
    watched.died.then((reason) => {
      if (!isExpected) tellDeath(reason)
    })
  }
  watch(anvil)
  return {
    rpc: anvil.rpc,
    died,
    renew: async () => {
      isExpected = true
      if (!(await anvil.stop(dumpMillisMax))) throw new Error('anvil did not write its state')
      anvil = await startAnvil({ ...options, loadPath: options.dumpPath })
      removeFiles([options.dumpPath])
      isExpected = false
      watch(anvil)
    },
    stop: (politeMillis) => {
      isExpected = true
      return anvil.stop(politeMillis)
    },
  }
}
