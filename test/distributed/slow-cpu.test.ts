import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxDir } from '../service/shared.ts'
import { untilSaid } from './clients.ts'
import { eventually, type House, type Member, openHouse, patience, sleep, stop } from './house.ts'
import { slowDown } from './slow-cpu.ts'

/*
 * One indexer on PostgreSQL with 3 % of a CPU: it runs for 30 ms of each second.
 *
 *   |▌         |▌         |▌         |▌         keeps its generation, and its cursor advances
 *
 * How far depends on the machine: what is promised is one generation, and headway.
 */

const isDeep = process.env.TEST_TIER === 'T1'
const lastsMs = isDeep ? 600_000 : 45_000
const runMs = 30
/** What never ends fails by it. */
const limitMs = lastsMs + 900_000

let house: House
let member: Member

beforeAll(async () => {
  house = await openHouse(sandboxDir)
  member = await house.launchMember(['index', '--poll-ms', '200'])
})

afterAll(() => house?.dispose())

test(
  'an indexer with 3 % of a CPU keeps the lease and makes headway',
  async () => {
    await untilSaid(member.running, /Acquired the lease, indexing/)
    await eventually(house.readBlock, (block) => block > 0, patience)
    const before = { lease: await house.readLease(), block: await house.readBlock() }
    const slow = slowDown(member.running.child, runMs)
    await sleep(lastsMs)
    const block = await eventually(house.readBlock, (now) => now > before.block, patience)
    const { generation, holder } = await house.readLease()
    slow.end()
    expect({ generation, holder }).toEqual({
      generation: before.lease.generation,
      holder: before.lease.holder,
    })
    expect(block).toBeGreaterThan(before.block)
    expect(await stop(member.running)).toBe(0)
    expect((await member.running.ended).stdout).not.toContain('Lost the lease')
  },
  limitMs,
)
