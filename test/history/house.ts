import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { createRpc, latestBlock, type Rpc } from '../../sandbox/chain/rpc.ts'
import { mineAt, type Transaction } from '../../sandbox/chain/sender.ts'
import { removeSandbox } from '../../sandbox/remove-sandbox.fixture.ts'
import { integrationNames } from '../../src/domain/integrations.ts'
import type { StatusView } from '../../src/domain/views/service.ts'
import { type Api, eventually } from '../service/api.ts'
import { clientOf, kill, launch, writeNetworkFile } from '../service/launch.ts'
import { createChain } from '../service/numbers/chain.ts'
import { type ChainEvent, createEventLog } from '../service/numbers/events.ts'
import { startPostgres } from '../setup/postgres.ts'
import { openQuietSandbox } from '../swap/quiet-sandbox.ts'

/*
 * Two services on one chain that we mine ourselves:
 *
 *   anvil, Uniswap's contracts ──► stockpools start, SQLite
 *                              ──► stockpools start, PostgreSQL
 */

export const storeKinds = ['SQLite', 'PostgreSQL'] as const
export type StoreKind = (typeof storeKinds)[number]

/** A transaction with its nonce: sent again to another branch, it keeps its hash. */
export type Sent = Transaction & { readonly nonce: Hex; readonly hash: Hex }

const requestOf = ({ from, call, nonce }: Omit<Sent, 'hash'>) => ({
  ...{ from, to: call.target, data: call.data, value: '0x0', nonce },
  ...{ gas: '0xbebc200', gasPrice: '0x0' },
})

/** The chain's blocks, made by hand. */
const createMaker = (rpc: Rpc, mineConfirmations: () => Promise<unknown>) => {
  const headBlock = async () => Number(await rpc.call<Hex>('eth_blockNumber'))

  /**
   * A block for each of these lists of transactions, all of one second, as on a chain with several
   * blocks a second; the transactions as they were sent.
   */
  const mineBlocks = async (
    blocks: readonly (readonly Transaction[])[],
  ): Promise<readonly (readonly Sent[])[]> => {
    const mined: Sent[][] = []
    const { timestamp } = await latestBlock(rpc)
    const ts = Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1000))
    for (const transactions of blocks) {
      const sent: Sent[] = []
      for (const each of transactions) {
        const nonce = await rpc.call<Hex>('eth_getTransactionCount', each.from, 'pending')
        const hash = await rpc.call<Hex>('eth_sendTransaction', requestOf({ ...each, nonce }))
        sent.push({ ...each, nonce, hash })
      }
      await mineAt(rpc, ts)
      mined.push(sent)
    }
    return mined
  }

  return {
    headBlock,
    mineBlocks,
    mineConfirmations,
    /**
     * Replaces all blocks from this one on. The new ones are empty but for these transactions,
     * each in the block of its place in the list.
     */
    replaceFrom: async (block: number, branch: readonly (readonly Sent[])[]): Promise<void> => {
      const depth = (await headBlock()) - block + 1
      const placed = branch.flatMap((sent, at) => sent.map((each) => [requestOf(each), at]))
      await rpc.call('anvil_reorg', depth, placed)
    },
  }
}

const startService = (directory: string, store: string) => {
  const environment = { STOCKPOOLS_STORE: store }
  const args = ['start', '--network', join(directory, 'network.json')]
  const serving = ['--port', '0', '--rate-limit', '0', '--poll-ms', '200']
  const integrations = ['--integrations', integrationNames.join(',')]
  return launch([...args, ...serving, ...integrations], { directory, environment })
}

export const openHouse = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stockpools-history-'))
  const dataDir = join(directory, 'sandbox')
  const [{ sandbox, manifest, mineConfirmations }, postgres] = await Promise.all([
    openQuietSandbox(dataDir),
    startPostgres(),
  ])
  writeNetworkFile(directory, dataDir)
  const stores = {
    SQLite: `sqlite:${join(directory, 'sandbox.db')}`,
    PostgreSQL: await postgres.createDatabase(),
  }
  const running = storeKinds.map((kind) => startService(directory, stores[kind]))
  const maker = createMaker(createRpc(manifest.urls.node), mineConfirmations)
  const chain = createChain(manifest)
  const apis = await Promise.all(running.map(clientOf))
  const apiOf = new Map(storeKinds.map((kind, at) => [kind, apis[at] as Api]))

  /** Makes everything up to the newest block known to both services. */
  const untilIndexed = async (): Promise<void> => {
    const block = await maker.headBlock()
    await maker.mineConfirmations()
    for (const api of apis) {
      const isThere = ({ chain: { indexedBlock, backfill } }: StatusView) =>
        (indexedBlock ?? -1) >= block && backfill.phase === 'done'
      await eventually(() => api.read<StatusView>('/api/v1/status'), isThere, { waitMs: 50 })
    }
  }

  return {
    ...maker,
    manifest,
    chain,
    untilIndexed,
    apiOf: (kind: StoreKind): Api => apiOf.get(kind) as Api,
    /** What the chain's logs say now, decoded by viem. */
    readEvents: (to: number): Promise<readonly ChainEvent[]> =>
      createEventLog(chain, manifest).upTo(to),
    close: async (): Promise<void> => {
      await Promise.all(running.map(kill))
      await postgres.dispose()
      await removeSandbox(sandbox, dataDir)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>
