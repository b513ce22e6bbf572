import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, removeFiles, writeJson } from '../files.ts'
import type { SavedPrices } from '../market/prices.ts'
import type { Settings } from '../options.ts'
import type { World } from '../world/world.ts'

/** Every file of a data directory. */
export const sandboxPaths = (dataDir: string) => ({
  networkFile: join(dataDir, 'network.json'),
  manifest: join(dataDir, 'manifest.json'),
  /** Who runs here: how a restarted service finds a living sandbox. */
  running: join(dataDir, 'sandbox.json'),
  anvilPid: join(dataDir, 'anvil.json'),
  /** The node's own dump, and our half of the same moment. */
  state: join(dataDir, 'state.json'),
  stateNext: join(dataDir, 'state.next.json'),
  world: join(dataDir, 'world.json'),
})

export type SandboxPaths = ReturnType<typeof sandboxPaths>

/** What we know beside the chain, as of an orderly stop. */
export type SavedState = {
  readonly world: World
  readonly prices: SavedPrices
  readonly randomState: number
  /** Timestamp of the newest block. */
  readonly headTs: number
}

/** The saved world, if it is one of the same kind and its chain was dumped with it. */
export function readSavedState(
  paths: SandboxPaths,
  settings: Settings,
  sourceHash: string,
): SavedState | null {
  const saved = readJson(paths.world) as SavedState | null
  if (!saved || !existsSync(paths.state)) return null
  const { seed, pastHours } = saved.world.settings
  const isSame =
    saved.world.sourceHash === sourceHash &&
    seed === settings.seed &&
    pastHours === settings.pastHours
  return isSame ? { ...saved, world: { ...saved.world, settings } } : null
}

/** Call when the node has written its dump; only both halves together are a saved sandbox. */
export function commitSavedState(paths: SandboxPaths, saved: SavedState): void {
  renameSync(paths.stateNext, paths.state)
  writeJson(paths.world, saved)
}

/**
 * Once the chain goes on, the old dump would put it back in time: only an orderly stop leaves one.
 */
export function deleteSavedState(paths: SandboxPaths): void {
  removeFiles([paths.world, paths.state, paths.stateNext])
}
