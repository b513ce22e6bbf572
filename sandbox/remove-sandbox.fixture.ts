import { rmSync } from 'node:fs'
import { sandboxPaths } from './boot/saved-state.ts'
import { readJson } from './files.ts'
import type { OpenedSandbox } from './open-sandbox.ts'
import { waitForEnd } from './process/processes.ts'

/** Longer than anything takes that does not hang, however busy the machine is. */
export const endMillisMax = 120_000

/** Stops a sandbox and waits until it is gone, which may be later, before its directory goes. */
export async function removeSandbox(
  sandbox: OpenedSandbox | undefined,
  dataDir: string,
): Promise<void> {
  const running = readJson(sandboxPaths(dataDir).running) as { readonly pid: number } | null
  await sandbox?.stop()
  if (running !== null) await waitForEnd(running.pid, endMillisMax)
  rmSync(dataDir, { recursive: true, force: true })
}
