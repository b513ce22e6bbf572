import { factoryEvents, managerEvents, poolEvents } from './abis.ts'
import type { Peer, PeerTask } from './peer.ts'

/**
 * Envio HyperIndex over RPC, its fallback: the recommended source is a hosted service. The database
 * replaces the container that `envio dev` starts.
 */

const config = (task: PeerTask): string => `
name: bench
unordered_multichain_mode: true
networks:
  - id: ${task.chainId}
    start_block: ${task.firstBlock}
    end_block: ${task.lastBlock}
    rpc:
      - url: ${task.url}
        for: sync
    contracts:
      - name: Factory
        address: "${task.factory}"
        handler: src/handlers.js
        events:
          - event: ${factoryEvents.created}
      - name: Pool
        handler: src/handlers.js
        events:
          - event: ${poolEvents.swap}
          - event: ${poolEvents.mint}
          - event: ${poolEvents.burn}
      - name: Manager
        address: "${task.manager}"
        handler: src/handlers.js
        events:
          - event: ${managerEvents.swap}
          - event: ${managerEvents.change}
`

const schema = `
type PoolEvent {
  id: ID!
  pool: String!
  kind: String!
  block: Int!
  amount0: BigInt
  amount1: BigInt
  price: BigInt
  liquidity: BigInt
  tick: BigInt
}
`

const handlers = `
const { Factory, Pool, Manager } = require('../generated')

Factory.PoolCreated.contractRegister(({ event, context }) => {
  context.addPool(event.params.pool)
})

const keep = (kind, poolOf) => async ({ event, context }) => {
  const { params, block, logIndex } = event
  context.PoolEvent.set({
    id: block.number + '_' + logIndex,
    pool: poolOf(event),
    kind,
    block: block.number,
    amount0: params.amount0,
    amount1: params.amount1,
    price: params.sqrtPriceX96,
    liquidity: params.liquidity ?? params.amount ?? params.liquidityDelta,
    tick: params.tick,
  })
}
const ofAddress = ({ srcAddress }) => srcAddress
const ofId = ({ params }) => params.id

Pool.Swap.handler(keep('swap', ofAddress))
Pool.Mint.handler(keep('mint', ofAddress))
Pool.Burn.handler(keep('burn', ofAddress))
Manager.Swap.handler(keep('swap', ofId))
Manager.ModifyLiquidity.handler(keep('change', ofId))
`

const databaseOf = ({ databaseUrl }: PeerTask): Readonly<Record<string, string>> => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  return {
    ENVIO_PG_HOST: hostname,
    ENVIO_PG_PORT: port,
    ENVIO_PG_USER: username,
    ENVIO_POSTGRES_PASSWORD: password,
    ENVIO_PG_DATABASE: pathname.slice(1),
  }
}

export const envio: Peer = {
  name: 'envio',
  title: 'Envio 2.32.12 by RPC',
  packages: { envio: '2.32.12' },
  // The code generator installs its output with pnpm.
  tools: { pnpm: '9.15.9' },
  overrides: {},
  type: 'commonjs',
  files: (task) => ({
    'config.yaml': config(task),
    'schema.graphql': schema,
    'src/handlers.js': handlers,
  }),
  setupSql: null,
  prepare: [
    ['node_modules/.bin/envio', 'codegen'],
    ['node_modules/.bin/envio', 'local', 'db-migrate', 'setup'],
  ],
  start: ['node_modules/.bin/envio', 'start'],
  environment: (task) => ({
    ...databaseOf(task),
    ENVIO_HASURA: 'false',
    TUI_OFF: 'true',
    LOG_LEVEL: 'warn',
  }),
  countQuery: 'SELECT count(*)::int AS rows FROM "PoolEvent"',
}
