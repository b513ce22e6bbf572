import { removeFiles } from '../files.ts'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import type { Rpc } from './rpc.ts'

/** An anvil that can be restarted from its own state on the same port. */
export type ChainNode = {
  readonly rpc: Rpc
  /** Resolves with a reason if the node ends by itself. */
  readonly died: Promise<string>
  /**
   * Writes the state, removes its call traces and restarts from it. Without this, traces and block
   * hashes (190 bytes per block and kept state) take gigabytes in a few hours. Calls fail for about
   * a second.
   */
  readonly renew: () => Promise<void>
  /** Stops the node; true if it wrote its state. */
  readonly stop: (politeMillis: number) => Promise<boolean>
}

/** Usually takes a second; a node that is killed before it has written its state is lost. */
const dumpMillisMax = 120_000

export async function startNode(options: AnvilOptions): Promise<ChainNode> {
  let anvil: Anvil = await startAnvil(options)
  let isExpected = false
  let resolveDied = (_reason: string): void => undefined
  const died = new Promise<string>((resolve) => {
    resolveDied = resolve
  })
  const watch = (instance: Anvil): void => {
    instance.died.then((reason) => {
      if (!isExpected) resolveDied(reason)
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
