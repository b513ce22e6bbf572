import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrashChain } from './crash-chain.ts'
import { faultsOfDatabase, faultsOfFile, withStore } from './files.ts'
import type { Lives } from './lives.ts'
import { createPlot, growPast } from './plot.ts'
import { serveChain } from './served-chain.ts'
import { outcomeOf } from './soundness.ts'

/** How a process ends. */
type Ending = Pick<Parameters<Lives['live']>[0], 'killAfterMs' | 'spared' | 'places'>

export const untilStopped: Ending = { killAfterMs: null, spared: null, places: null }

/** A served chain, and a file or database that one indexer process after another opens. */
export const createKillWorld = async (
  lives: Lives,
  {
    seed,
    trouble,
    database = null,
  }: { readonly seed: number; readonly trouble: boolean; readonly database?: string | null },
) => {
  const world = createCrashChain(seed)
  growPast(world)
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-'))
  const path = join(folder, 'store.db')
  const order = {
    path,
    database,
    url: await serveChain(world),
    stands: createPlot(world, { trouble }),
  }
  return {
    random: world.random,
    /** Runs one process, and checks the store afterwards. */
    live: async (ending: Ending) => {
      const nowTs = world.chain.headBlock().anchor.ts
      const life = await lives.live({ ...order, ...ending, nowTs })
      const faults =
        database === null
          ? await faultsOfFile(path, world.chain)
          : await faultsOfDatabase(database, world.chain)
      return { ...life, faults: [...life.wrong, ...faults] }
    },
    outcome: () => withStore(path, outcomeOf),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
