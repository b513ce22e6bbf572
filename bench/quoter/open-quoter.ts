import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NetworkFile } from '../../sandbox/network-file.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import type { PoolQuote } from '../../src/client/types.ts'
import { eventually } from '../../test/service/api.ts'
import { openQuietSandbox } from '../../test/swap/quiet-sandbox.ts'
import { startService } from '../live/service.ts'
import { createQuoterCalls } from './quoter-calls.ts'
import { crossedMax, planThousandTicks } from './thousand-ticks.ts'

const waiting = { waitMs: 100, msMax: 300_000 }

/** The sandbox with a pool of 1,000 ticks and QuoterV2 on it, and the service, which indexes it. */
export const openQuoter = async (directory: string) => {
  const dataDir = join(directory, 'sandbox')
  mkdirSync(dataDir)
  const { sandbox, manifest, rpc, quoters, transact, mineConfirmations } =
    await openQuietSandbox(dataDir)
  const planned = planThousandTicks(manifest)
  await transact(planned.calls)
  await mineConfirmations()
  const network = JSON.parse(readFileSync(sandbox.networkFile, 'utf8')) as NetworkFile
  const storePath = join(directory, 'quoter.sqlite')
  const service = await startService({ directory, network, store: `sqlite:${storePath}` })
  const path = `/api/v1/pools/${planned.pool.id}/quote?side=buy`
  const whole = planned.inputAcross(crossedMax)
  await eventually(
    () => service.api.ask(`${path}&otherAmountRaw=${whole}`),
    ({ status, text }) =>
      status === 200 && (JSON.parse(text) as PoolQuote).quote?.ticksCrossed === crossedMax,
    waiting,
  )
  return {
    ...planned,
    /** Of a quote; lacks the amount. */
    path,
    service,
    nodeUrl: manifest.urls.node,
    quoter: createQuoterCalls(rpc, quoters['Uniswap v3'], planned.pool),
    close: async (): Promise<void> => {
      await service.end()
      await removeSandbox(sandbox, dataDir)
    },
  }
}

export type OpenQuoter = Awaited<ReturnType<typeof openQuoter>>
