import { factoryEvents, managerEvents, poolEvents } from './abis.ts'
import type { Peer, PeerTask } from './peer.ts'

/**
 * Ponder on PostgreSQL, as in its production guide. Its client starts at 20 requests per second and
 * endpoint; repeating the endpoint is the only supported way to raise that.
 */

const endpoints = 100
const literal = (value: unknown): string => JSON.stringify(value)
const event = (text: string): string => literal(`event ${text}`)

const config = (task: PeerTask): string => `
import { createConfig, factory } from 'ponder'
import { parseAbi, parseAbiItem } from 'viem'

const range = { startBlock: ${task.firstBlock}, endBlock: ${task.lastBlock} }
const url = ${literal(task.url)}

export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DATABASE_URL },
  chains: { bench: { id: ${task.chainId}, rpc: Array.from({ length: ${endpoints} }, () => url) } },
  contracts: {
    Pool: {
      chain: 'bench',
      abi: parseAbi([${Object.values(poolEvents).map(event).join(', ')}]),
      address: factory({
        address: ${literal(task.factory)},
        event: parseAbiItem(${event(factoryEvents.created)}),
        parameter: 'pool',
        ...range,
      }),
      ...range,
    },
    Manager: {
      chain: 'bench',
      abi: parseAbi([${Object.values(managerEvents).map(event).join(', ')}]),
      address: ${literal(task.manager)},
      ...range,
    },
  },
})
`

const schema = `
import { onchainTable } from 'ponder'

export const poolEvent = onchainTable('pool_event', (t) => ({
  id: t.text().primaryKey(),
  pool: t.hex().notNull(),
  kind: t.text().notNull(),
  block: t.bigint().notNull(),
  amount0: t.bigint(),
  amount1: t.bigint(),
  price: t.bigint(),
  liquidity: t.bigint(),
  tick: t.integer(),
}))
`

const handlers = `
import { ponder } from 'ponder:registry'
import { poolEvent } from 'ponder:schema'

const on = (name, kind, poolOf) =>
  ponder.on(name, async ({ event, context }) => {
    const { args, block, log } = event
    await context.db.insert(poolEvent).values({
      id: event.id,
      pool: poolOf(args, log),
      kind,
      block: block.number,
      amount0: args.amount0,
      amount1: args.amount1,
      price: args.sqrtPriceX96,
      liquidity: args.liquidity ?? args.amount ?? args.liquidityDelta,
      tick: args.tick,
    })
  })

on('Pool:Swap', 'swap', (_, log) => log.address)
on('Pool:Mint', 'mint', (_, log) => log.address)
on('Pool:Burn', 'burn', (_, log) => log.address)
on('Manager:Swap', 'swap', (args) => args.id)
on('Manager:ModifyLiquidity', 'change', (args) => args.id)
`

const api = `
import { Hono } from 'hono'

export default new Hono()
`

export const ponder: Peer = {
  name: 'ponder',
  title: 'Ponder 0.16.10',
  packages: { ponder: '0.16.10', viem: '2.57.1', hono: '4.13.19' },
  // Newer versions require a dependency version that does not exist.
  overrides: { viem: '2.57.1' },
  tools: {},
  type: 'module',
  files: (task) => ({
    'ponder.config.ts': config(task),
    'ponder.schema.ts': schema,
    'src/index.ts': handlers,
    'src/api/index.ts': api,
  }),
  setupSql: null,
  prepare: [],
  start: ['node_modules/.bin/ponder', 'start', '--schema', 'bench', '--port', '0'],
  environment: ({ databaseUrl }) => ({ DATABASE_URL: databaseUrl, PONDER_TELEMETRY_DISABLED: '1' }),
  countQuery: 'SELECT count(*)::int AS rows FROM bench.pool_event',
}
