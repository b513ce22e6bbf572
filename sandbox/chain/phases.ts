import { renameSync } from 'node:fs'
import type { Paths } from '../boot/saved.ts'
import type { Settings } from '../options.ts'
import { type Anvil, type AnvilMode, startAnvil } from './anvil.ts'
import { followClock } from './renew.ts'
import { toHex } from './rpc.ts'
import { slimState } from './slim.ts'

/**
 * The past is mined by hand, so that each block has its own time; the present by the clock. A node
 * can do one or the other, so it writes its state after the past and starts again from there.
 */

/**
 * After a load the node can answer pinned calls only for blocks mined since. These many at once,
 * all in one second, cover the confirmed and the finalized head (20 and 64 behind).
 */
const freshBlocks = 80

const dumpMillisMax = 20_000

export type NodeInput = {
  readonly paths: Paths
  readonly port: number
  readonly genesisTs: number
  readonly settings: Settings
}

/** A node that mines when told, on the saved state or on nothing. */
export function startByHand(input: NodeInput, loadPath: string | null): Promise<Anvil> {
  return startNode(input, loadPath, { kind: 'by-hand' })
}

/** Ends a node and starts one on the same state that mines by the clock. */
export async function turnToPresent(input: NodeInput, byHand: Anvil): Promise<Anvil> {
  if (!(await byHand.stop(dumpMillisMax))) throw new Error('anvil did not write its state')
  renameSync(input.paths.stateNext, input.paths.state)
  return startPresent(input)
}

/** A node that mines by the clock, on the saved state. */
export async function startPresent(input: NodeInput): Promise<Anvil> {
  const seconds = input.settings.blockTimeSeconds
  const anvil = await startNode(input, input.paths.state, { kind: 'interval', seconds })
  await followClock(anvil.rpc)
  await anvil.rpc.call('anvil_mine', toHex(freshBlocks), '0x0')
  return anvil
}

function startNode(input: NodeInput, loadPath: string | null, mode: AnvilMode): Promise<Anvil> {
  if (loadPath) slimState(loadPath)
  const { paths, port, genesisTs } = input
  const files = { loadPath, dumpPath: paths.stateNext, pidPath: paths.anvilPid }
  return startAnvil({ port, mode, genesisTs, ...files })
}
