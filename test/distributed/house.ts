import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatusView } from '../../src/domain/views/service.ts'
import { type Api, eventually, sleep } from '../service/api.ts'
import { kill, launch, stop, writeNetworkFile } from '../service/launch.ts'
import { type PostgresServer, queryAt, startPostgres } from '../setup/postgres.ts'
import type { Running } from '../setup/processes.ts'
import { layProxy, type TcpProxy } from '../setup/tcp-proxy.ts'

/*
 * A service of several processes, each with a way of its own to the database:
 *
 *   index ── proxy ──┐
 *   index ── proxy ──┼── PostgreSQL
 *   api   ── proxy ──┤
 *   api   ── proxy ──┘
 */

/** A process and its way to the database. */
export type Member = { readonly running: Running; readonly proxy: TcpProxy }

export type LeaseRow = {
  readonly generation: number
  readonly holder: string | null
  readonly ageMs: number
}

export type House = {
  readonly postgres: PostgresServer
  /** Of the database, past all proxies. */
  readonly url: string
  readonly directory: string
  readonly network: string
  readonly launchMember: (args: readonly string[]) => Promise<Member>
  readonly readLease: () => Promise<LeaseRow>
  readonly readBlock: () => Promise<number>
  readonly dispose: () => Promise<void>
}

const leaseSql = `SELECT generation::int, holder,
  (extract(epoch FROM clock_timestamp() - renewed_at) * 1000)::float8 AS age FROM lease`

const openHouseOn = (postgres: PostgresServer, url: string, sandboxDir: string): House => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-distributed-'))
  const network = writeNetworkFile(directory, sandboxDir)
  const members: Member[] = []
  return {
    postgres,
    url,
    directory,
    network,
    launchMember: async (args) => {
      const proxy = await layProxy(url)
      const environment = { STOCKPOOLS_STORE: proxy.url }
      const running = launch([...args, '--network', network], { directory, environment })
      const member = { running, proxy }
      members.push(member)
      return member
    },
    readLease: async () => {
      const [row] = await queryAt(url, leaseSql)
      const { generation, holder, age } = row ?? {}
      return {
        generation: Number(generation),
        holder: holder === null ? null : String(holder),
        ageMs: Number(age),
      }
    },
    readBlock: async () => {
      const [row] = await queryAt(url, 'SELECT indexed_block AS block FROM header')
      return Number(row?.block ?? 0)
    },
    dispose: async () => {
      for (const { running } of members) running.child.kill('SIGCONT')
      await Promise.all(members.map(({ running }) => kill(running)))
      await Promise.all(members.map(({ proxy }) => proxy.cut()))
      await postgres.dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const openHouse = async (sandboxDir: string): Promise<House> => {
  const postgres = await startPostgres()
  try {
    return openHouseOn(postgres, await postgres.createDatabase(), sandboxDir)
  } catch (error) {
    await postgres.dispose()
    throw error
  }
}

/** Patient with a machine that has much else to do. */
export const patience = { waitMs: 100, msMax: 300_000 }

export const isHeldBy =
  ({ running }: Member) =>
  ({ holder }: LeaseRow): boolean =>
    holder?.endsWith(`:${running.child.pid}`) === true

/**
 * How long it took until this member held the lease, and until it had written a block. The lease is
 * timed by the waits between two looks at it: what a busy machine adds to each of them is not of
 * the member, which is kept waiting just so.
 */
export const untilTakenBy = async (
  house: House,
  member: Member,
): Promise<{ readonly leaseMs: number; readonly blockMs: number }> => {
  const begunMs = performance.now()
  const block = await house.readBlock()
  let looks = 0
  const look = (): Promise<LeaseRow> => {
    looks += 1
    return house.readLease()
  }
  await eventually(look, isHeldBy(member), patience)
  const leaseMs = (looks - 1) * patience.waitMs
  await eventually(house.readBlock, (now) => now > block, patience)
  return { leaseMs, blockMs: performance.now() - begunMs }
}

/** The process says who writes as the lease does; on a busy machine that may change in between. */
export const untilWriterReported = async (house: House, api: Api): Promise<LeaseRow> => {
  const read = async () => {
    const { chain } = await readStatus(api)
    return { reported: chain.writer, lease: await house.readLease() }
  }
  const { lease } = await eventually(
    read,
    ({ reported, lease: { holder, generation } }) =>
      reported?.state === 'active' &&
      reported.holder === holder &&
      reported.generation === generation,
    patience,
  )
  return lease
}

export const readStatus = (api: Api): Promise<StatusView> => api.read<StatusView>('/api/v1/status')

/** Both processes have seen a block after this one. */
export const untilPast = async (apis: readonly Api[], block: number): Promise<void> => {
  for (const api of apis) {
    const passes = ({ chain }: StatusView) => (chain.indexedBlock ?? 0) > block
    await eventually(() => readStatus(api), passes, patience)
  }
}

export { eventually, sleep, stop }
