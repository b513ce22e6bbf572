import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { Api } from '../service/api.ts'
import { sandboxDir } from '../service/shared.ts'
import { queryAt } from '../setup/postgres.ts'
import { readyClientOf, untilSaid } from './clients.ts'
import {
  eventually,
  type House,
  isHeldBy,
  type Member,
  openHouse,
  patience,
  readStatus,
  sleep,
  stop,
  untilPast,
  untilTakenBy,
  untilWriterReported,
} from './house.ts'
import { type Load, startLoad } from './load.ts'
import { digestOf, freshDigestOf } from './stored-digest.ts'

/*
 * Two indexers and two API processes on one PostgreSQL, while clients ask all the time. One thing
 * after the other goes wrong; the tests are its chapters, in order:
 *
 *   index a  ██████✗
 *   index b        ......██████▒▒▒▒ stopped ....▒ woken, stands by
 *   index c          .............███████████ cut off ...
 *   api 1    ──────────────────────────────────────────── answers, never an earlier block
 *   api 2    ────────────────────────────────────────────
 */

const isDeep = process.env.TEST_TIER === 'T1'
const perSecond = isDeep ? 250 : 20
const goneMs = isDeep ? 60_000 : 6_000
/** After the active indexer is gone; for blocks on a machine that is not busy with other tests. */
const takeoverMsMax = 10_000

let house: House
let apis: readonly Api[] = []
let servers: readonly Member[] = []
let active: Member
let standby: Member
let load: Load

const launchIndex = () => house.launchMember(['index', '--poll-ms', '200'])
const launchApi = () => house.launchMember(['api', '--port', '0', '--rate-limit', '0'])

beforeAll(async () => {
  house = await openHouse(sandboxDir)
  const api = await launchApi()
  active = await launchIndex()
  const other = await launchApi()
  servers = [api, other]
  apis = await Promise.all(servers.map(({ running }) => readyClientOf(running)))
  await eventually(house.readLease, isHeldBy(active), patience)
  const isReady = (rows: readonly PoolView[]) => rows.length >= 40
  for (const each of apis) {
    await eventually(() => each.readAll<PoolView>('/api/v1/pools'), isReady, patience)
  }
  standby = await launchIndex()
  const [first] = await (apis[0] as Api).readAll<PoolView>('/api/v1/pools')
  const details = [`/api/v1/pools/${first?.id}?range=24h`]
  load = startLoad(
    apis.map(({ baseUrl }) => baseUrl),
    { perSecond, details },
  )
})

afterAll(async () => {
  await load?.stop()
  await house?.dispose()
})

/** No request failed, and no client received an earlier block than before. */
const expectCalm = (): void => {
  expect(load.failures()).toEqual([])
  expect(load.stepsBack()).toEqual([])
}

const swap = (): void => {
  ;[active, standby] = [standby, active]
}

test('one is active, the other stands by, and every API process says which', async () => {
  await untilSaid(standby.running, /Standby: another indexer holds the lease/)
  for (const api of apis) {
    const { generation } = await untilWriterReported(house, api)
    await eventually(
      () => api.ask('/metrics'),
      ({ text }) => text.includes(`stockpools_lease_generation ${generation}`),
      patience,
    )
  }
  expectCalm()
})

test('the leader is killed: the standby continues within ten seconds', async () => {
  active.running.child.kill('SIGKILL')
  const took = await untilTakenBy(house, standby)
  expect(took.leaseMs).toBeLessThan(takeoverMsMax)
  if (isDeep) expect(took.blockMs).toBeLessThan(takeoverMsMax)
  swap()
  standby = await launchIndex()
  await untilSaid(standby.running, /Standby/)
  await untilPast(apis, await house.readBlock())
  expectCalm()
})

test('the leader is frozen: the standby continues, the resumed one stands by', async () => {
  const before = await house.readLease()
  active.running.child.kill('SIGSTOP')
  const took = await untilTakenBy(house, standby)
  expect(took.leaseMs).toBeLessThan(takeoverMsMax)
  if (isDeep) expect(took.blockMs).toBeLessThan(takeoverMsMax)
  active.running.child.kill('SIGCONT')
  await untilSaid(active.running, /Lost the lease, stopped writing/)
  await untilSaid(active.running, /Lost the lease[\s\S]*Standby/)
  const after = await house.readLease()
  // One more, unless the machine was so busy that the new one lost it for a while.
  expect(after.generation).toBeGreaterThan(before.generation)
  expect(isHeldBy(standby)(after)).toBe(true)
  swap()
  await untilPast(apis, await house.readBlock())
  expectCalm()
})

test('the active one is cut off without a word: the same', async () => {
  await active.proxy.stall()
  const took = await untilTakenBy(house, standby)
  expect(took.leaseMs).toBeLessThan(takeoverMsMax)
  await active.proxy.pass()
  await untilSaid(active.running, /Lost the lease[\s\S]*Standby/)
  swap()
  await untilPast(apis, await house.readBlock())
  expectCalm()
})

test('the answer to a commit is lost: the store is asked what became of it', async () => {
  await active.proxy.loseCommitAnswer()
  const block = await house.readBlock()
  await eventually(house.readBlock, (now) => now > block + 3, patience)
  await untilPast(apis, block + 3)
  const lease = await house.readLease()
  if (isHeldBy(standby)(lease)) swap()
  expectCalm()
})

/** What the server says when it has no room, said by the server itself while this stands. */
const fillDisk = `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
  END $$;
  CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON header
    FOR EACH ROW EXECUTE FUNCTION no_room()`
const clearDisk = 'DROP TRIGGER no_room ON header; DROP FUNCTION no_room()'

test('the disk is full: nothing is half written, and it continues once there is room', async () => {
  await queryAt(house.url, fillDisk)
  const block = await house.readBlock()
  await sleep(3_000)
  expect(await house.readBlock()).toBe(block)
  const lease = await house.readLease()
  expect(lease.ageMs).toBeLessThan(patience.msMax)
  await queryAt(house.url, clearDisk)
  await untilPast(apis, block)
  expectCalm()
})

test('the database is gone: both answer from memory, and say how old it is', async () => {
  const refused = load.refusedDetails()
  await house.postgres.kill()
  const [first] = await Promise.all(apis.map(readStatus))
  await sleep(goneMs)
  for (const api of apis) {
    const { chain } = await readStatus(api)
    expect(chain.lagSeconds).toBeGreaterThanOrEqual((first?.chain.lagSeconds ?? 0) + 3)
    expect((await api.ask('/readyz')).status).toBe(200)
    if (!isDeep) continue
    expect(chain.writer?.state).toBe('unknown')
    expect(await api.read('/api/v1/health')).toMatchObject({ ok: false })
  }
  const answered = load.answered()
  await eventually(load.answered, (now) => now > answered + 10, patience)
  expect(load.refusedDetails()).toBeGreaterThanOrEqual(refused)
  await house.postgres.start()
  await untilPast(apis, await house.readBlock())
  for (const api of apis) {
    await eventually(
      () => api.read<{ ok: boolean }>('/api/v1/health'),
      ({ ok }) => ok,
      patience,
    )
  }
  expectCalm()
})

test('the active one is stopped in order: it hands over', async () => {
  const lease = await house.readLease()
  if (!isHeldBy(active)(lease)) swap()
  await eventually(house.readLease, isHeldBy(active), patience)
  expect(await stop(active.running)).toBe(0)
  const took = await untilTakenBy(house, standby)
  expect(took.leaseMs).toBeLessThan(takeoverMsMax)
  expectCalm()
})

test('after all that the store holds what a fresh index of the chain holds', async () => {
  const block = await house.readBlock()
  await load.stop()
  const codes = [standby, ...servers].map(({ running }) => stop(running))
  expect(await Promise.all(codes)).toEqual([0, 0, 0])
  expect(await house.readLease()).toMatchObject({ holder: null })
  const own = await digestOf(house.url, block)
  expect(own.swaps).toBeGreaterThan(1000)
  expect(own).toEqual(await freshDigestOf(house, block))
})
