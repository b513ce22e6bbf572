import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxDir } from '../service/shared.ts'
import { type Api, readyClientOf, untilSaid } from './clients.ts'
import {
  eventually,
  type House,
  isHeldBy,
  type Member,
  openHouse,
  patience,
  stop,
  untilPast,
  untilTakenBy,
} from './house.ts'

/*
 * `start` beside `start`, as someone runs it who wants no more than two of everything: both serve,
 * one writes.
 */

let house: House
let members: readonly [Member, Member]
let apis: readonly Api[] = []

beforeAll(async () => {
  house = await openHouse(sandboxDir)
  const launchStart = () => house.launchMember(['start', '--port', '0', '--rate-limit', '0'])
  members = [await launchStart(), await launchStart()]
  apis = await Promise.all(members.map(({ running }) => readyClientOf(running)))
})

afterAll(() => house?.dispose())

test('both serve what one of them writes, and when that one stops the other does', async () => {
  await eventually(
    house.readLease,
    (lease) => members.some((each) => isHeldBy(each)(lease)),
    patience,
  )
  const [first, second] = members
  const isFirst = isHeldBy(first)(await house.readLease())
  const [active, standby] = isFirst ? [first, second] : [second, first]
  await untilSaid(standby.running, /Standby: another indexer holds the lease/)
  await untilPast(apis, (await house.readBlock()) + 2)
  for (const api of apis) expect((await api.ask('/readyz')).status).toBe(200)
  expect(await stop(active.running)).toBe(0)
  await untilTakenBy(house, standby)
  const survivor = apis[isFirst ? 1 : 0] as Api
  await untilPast([survivor], await house.readBlock())
  expect(await stop(standby.running)).toBe(0)
  expect(await house.readLease()).toMatchObject({ holder: null })
})

test.each([
  ['an indexer', ['index']],
  ['an API process', ['api', '--port', '0']],
])(
  '%s that is asked to stop while the database says nothing stops all the same',
  async (_, args) => {
    const member = await house.launchMember(args)
    await untilSaid(member.running, args.length === 1 ? /Acquired the lease/ : /API listening on/)
    await member.proxy.stall()
    expect(await stop(member.running)).toBe(0)
    expect((await member.running.ended).stderr).toBe('')
  },
)
