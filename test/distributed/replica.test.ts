import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, stop } from '../service/launch.ts'
import { sandboxDir } from '../service/shared.ts'
import { type PostgresServer, startReplica } from '../setup/postgres.ts'
import type { Running } from '../setup/processes.ts'
import { type Api, readyClientOf, untilSaid } from './clients.ts'
import {
  eventually,
  type House,
  openHouse,
  patience,
  untilPast,
  untilWriterReported,
} from './house.ts'
import { type Load, startLoad } from './load.ts'

/*
 * An API process that never speaks to the database that is written:
 *
 *   index ── primary ──► replica ── api
 */

let house: House
let replica: PostgresServer
let server: Running
let api: Api
let load: Load

const onReplica = (role: string, ...more: string[]): Running => {
  const environment = { STOCKPOOLS_STORE: house.url.replace(/:\d+\//, `:${replica.port}/`) }
  const args = [role, '--network', house.network, ...more]
  return launch(args, { directory: house.directory, environment })
}

beforeAll(async () => {
  house = await openHouse(sandboxDir)
  replica = await startReplica(house.postgres)
  await house.launchMember(['index', '--poll-ms', '200'])
  server = onReplica('api', '--port', '0', '--rate-limit', '0')
  api = await readyClientOf(server)
  load = startLoad([api.baseUrl], { perSecond: 20, details: [] })
})

afterAll(async () => {
  await load?.stop()
  server?.child.kill('SIGKILL')
  await replica?.dispose()
  await house?.dispose()
})

test('it follows, and knows who writes', async () => {
  await untilPast([api], (await house.readBlock()) + 4)
  await untilWriterReported(house, api)
})

test('while the primary is gone it answers, and afterwards it follows again', async () => {
  await house.postgres.kill()
  const answered = load.answered()
  await eventually(load.answered, (now) => now > answered + 40, patience)
  await house.postgres.start()
  await untilPast([api], await house.readBlock())
  expect([load.failures(), load.stepsBack()]).toEqual([[], []])
})

test('an indexer cannot use it, and says why', async () => {
  const index = onReplica('index')
  await untilSaid(index, /"reason":"[^"]* is a read-only replica: configure its primary"/)
  expect(await stop(index)).toBe(0)
  await load.stop()
  expect(await stop(server)).toBe(0)
})
