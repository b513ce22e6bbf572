import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toEventSelector } from 'viem'
import { type PostgresServer, startPostgres } from '../../test/setup/postgres.ts'
import { factory, manager } from '../chain/contracts-and-tokens.ts'
import type { SyntheticChain } from '../chain/generate.ts'
import { chainId, lastChainBlock, originBlock } from '../chain/params.ts'
import type { RunningNode } from '../chain/start-node.ts'
import type { Omission, Sample } from '../figure.ts'
import type { BenchContext } from '../group.ts'
import { managerEvents, poolEvents } from './abis.ts'
import { envio } from './envio.ts'
import type { PeerName } from './names.ts'
import type { Peer, PeerRun, PeerTask } from './peer.ts'
import { ponder } from './ponder.ts'
import { installPeer, type Project, runPeer } from './run-peer.ts'
import { subsquid } from './subsquid.ts'

const peers: Readonly<Record<PeerName, Peer>> = { subsquid, ponder, envio }

const topicsOf = (events: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(Object.values(events).map((event) => toEventSelector(`event ${event}`)))

/** Events of every pool of the two venues, with or without a stock. */
const countEvents = ({ logs }: SyntheticChain): number => {
  const [ofPools, ofManager] = [topicsOf(poolEvents), topicsOf(managerEvents)]
  const created = logs.filter(({ address }) => address === factory)
  const pools = new Set(created.map(({ data }) => `0x${data.slice(-40)}`))
  return logs.filter(({ address, topics }) => {
    const topicsOfAddress = address === manager ? ofManager : pools.has(address) ? ofPools : null
    return topicsOfAddress?.has(topics[0] ?? '') ?? false
  }).length
}

/** The installed peers, and those that failed. */
export type OpenPeers = {
  readonly round: (ownEventsPerSecond: number) => Promise<readonly Sample[]>
  readonly omissions: () => readonly Omission[]
  readonly close: () => Promise<void>
}

const noPeers: OpenPeers = { round: async () => [], omissions: () => [], close: async () => {} }

const sampleOf = (
  { title }: Peer,
  run: PeerRun,
  { events, ours }: { readonly events: number; readonly ours: number },
): Sample => ({
  row: 1,
  what: `peer: ${title}`,
  value: events / run.seconds,
  unit: 'events/s',
  limit: { what: 'by us', value: ours },
  goal: null,
  cost: { wallSeconds: run.seconds, cpuSeconds: run.cpuSeconds, peakMb: run.peakMb },
  remark:
    `${title}: ${events.toLocaleString('en')} rows, ` +
    `${run.requests.toLocaleString('en')} requests of ${run.calls.toLocaleString('en')} calls; ` +
    `CPU without its database's`,
})

type PeerBench = {
  readonly context: BenchContext
  readonly node: RunningNode
  readonly database: PostgresServer
  readonly task: Omit<PeerTask, 'databaseUrl'>
}

const create = ({ context, node, database, task }: PeerBench, folder: string) => {
  const projects: Project[] = []
  const omissions = new Map<PeerName, Omission>()
  const omit = ({ name, title }: Peer, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error)
    omissions.set(name, { row: 1, what: `peer: ${title}`, reason })
    context.say(`${title}: not run: ${reason}`)
  }
  return {
    omissions: () => [...omissions.values()],
    install: async (peer: Peer): Promise<void> => {
      context.say(`${peer.title}: installing`)
      const peerFolder = join(folder, peer.name)
      mkdirSync(peerFolder)
      await installPeer(peer, peerFolder).then(
        (project) => projects.push(project),
        (error: unknown) => omit(peer, error),
      )
    },
    round: async (ours: number): Promise<readonly Sample[]> => {
      const samples: Sample[] = []
      for (const project of projects.filter(({ peer }) => !omissions.has(peer.name))) {
        const { peer } = project
        context.say(`${peer.title}: ${task.events} events`)
        const peerTask: PeerTask = { ...task, databaseUrl: await database.createDatabase() }
        await runPeer(project, peerTask, node).then(
          (run) => samples.push(sampleOf(peer, run, { events: task.events, ours })),
          (error: unknown) => omit(peer, error),
        )
      }
      return samples
    },
  }
}

/** Installs the requested peers in a temporary folder. */
export const openPeers = async (
  context: BenchContext,
  { chain, node }: { readonly chain: SyntheticChain; readonly node: RunningNode },
): Promise<OpenPeers> => {
  const { peers: names, keep } = context.options
  if (names.length === 0) return noPeers
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-peers-'))
  const task = {
    url: node.url,
    chainId,
    factory,
    manager,
    firstBlock: originBlock,
    lastBlock: lastChainBlock(chain.params),
    events: countEvents(chain),
  }
  const database = await startPostgres()
  const opened = create({ context, node, database, task }, folder)
  for (const name of names) await opened.install(peers[name])
  return {
    round: opened.round,
    omissions: opened.omissions,
    close: async () => {
      await database.dispose()
      if (keep) context.say(`the peers are kept in ${folder}`)
      else rmSync(folder, { recursive: true, force: true })
    },
  }
}
