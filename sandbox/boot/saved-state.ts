import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, removeFiles, writeJson } from '../files.ts'
import type { SavedPrices } from '../market/prices.ts'
import type { Settings } from '../options.ts'
import type { World } from '../world/world.ts'

/** Paths of all files of a data directory. */
export const sandboxPaths = (dataDir: string) => ({
  networkFile: join(dataDir, 'network.json'),
  manifest: join(dataDir, 'manifest.json'),
  /** The running process, by which a restarted service finds the sandbox. */
  running: join(dataDir, 'sandbox.json'),
  anvilPid: join(dataDir, 'anvil.json'),
  /** The node's dump; `world` is the sandbox's state at the same block. */
  state: join(dataDir, 'state.json'),
  stateNext: join(dataDir, 'state.next.json'),
  world: join(dataDir, 'world.json'),
})

export type SandboxPaths = ReturnType<typeof sandboxPaths>

/** State of the sandbox at an orderly stop. */
export type SavedState = {
  readonly world: World
  readonly prices: SavedPrices
  readonly randomState: number
  /** Timestamp of the head. */
  readonly headTs: number
}

/** Returns the saved state if settings and sources match and the chain was dumped with it. */
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
    pastHours === settings.pastHours &&
    // A sandbox of before there were wash bots.
    saved.world.accounts.washers !== undefined
  return isSame ? { ...saved, world: { ...saved.world, settings } } : null
}

/** Called after the node has written its dump; only both files together are valid. */
export function commitSavedState(paths: SandboxPaths, saved: SavedState): void {
  renameSync(paths.stateNext, paths.state)
  writeJson(paths.world, saved)
}

/**
 * Deletes the dump when the chain continues: loading it later would revert the chain.
 */
export function deleteSavedState(paths: SandboxPaths): void {
  removeFiles([paths.world, paths.state, paths.stateNext])
}
