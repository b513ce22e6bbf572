import { rmSync } from 'node:fs'
import { sandboxPaths } from './boot/saved-state.ts'
import { readJson } from './files.ts'
import type { OpenedSandbox } from './open-sandbox.ts'
import { waitForEnd } from './process/processes.ts'

/** Generous for a busy machine; more means that a process hangs. */
export const endMillisMax = 120_000

/** Stops a sandbox, waits for the end of its process and removes its directory. */
export async function removeSandbox(
  sandbox: OpenedSandbox | undefined,
  dataDir: string,
): Promise<void> {
  const running = readJson(sandboxPaths(dataDir).running) as { readonly pid: number } | null
  await sandbox?.stop()
  if (running !== null) await waitForEnd(running.pid, endMillisMax)
  rmSync(dataDir, { recursive: true, force: true })
}
