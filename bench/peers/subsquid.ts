import { toEventSelector } from 'viem'
import { factoryEvents, managerEvents, poolEvents } from './abis.ts'
import type { Peer, PeerTask } from './peer.ts'

/**
 * Subsquid's EvmBatchProcessor over RPC only (its archives are a hosted service): topics without
 * addresses, a set of known pools and one insert per batch, as its guide to factory contracts
 * recommends. Generated decoders use the same codec as this code.
 */

const literal = (value: unknown): string => JSON.stringify(value)
const topic = (event: string): string => literal(toEventSelector(`event ${event}`))

const model = `
const { Column, Entity, PrimaryColumn } = require('typeorm')
class PoolEvent {
  constructor(fields) { Object.assign(this, fields) }
}
Entity()(PoolEvent)
PrimaryColumn('text')(PoolEvent.prototype, 'id')
for (const name of ['pool', 'kind']) Column('text')(PoolEvent.prototype, name)
Column('int')(PoolEvent.prototype, 'block')
for (const name of ['amount0', 'amount1', 'price', 'liquidity']) {
  const transformer = {
    to: (value) => value?.toString(),
    from: (value) => (value == null ? value : BigInt(value)),
  }
  Column('numeric', { nullable: true, transformer })(PoolEvent.prototype, name)
}
Column('int', { nullable: true })(PoolEvent.prototype, 'tick')
module.exports = { PoolEvent }
`

const main = ({ url, factory, manager, firstBlock, lastBlock }: PeerTask): string => `
const { EvmBatchProcessor } = require('@subsquid/evm-processor')
const { TypeormDatabase } = require('@subsquid/typeorm-store')
const { event, indexed } = require('@subsquid/evm-abi')
const p = require('@subsquid/evm-codec')
const { PoolEvent } = require('./lib/model')

const created = event(${topic(factoryEvents.created)}, 'PoolCreated', {
  token0: indexed(p.address), token1: indexed(p.address), fee: indexed(p.uint24),
  tickSpacing: p.int24, pool: p.address,
})
const v3 = {
  swap: event(${topic(poolEvents.swap)}, 'Swap', {
    sender: indexed(p.address), recipient: indexed(p.address), amount0: p.int256,
    amount1: p.int256, sqrtPriceX96: p.uint160, liquidity: p.uint128, tick: p.int24,
  }),
  mint: event(${topic(poolEvents.mint)}, 'Mint', {
    sender: p.address, owner: indexed(p.address), tickLower: indexed(p.int24),
    tickUpper: indexed(p.int24), amount: p.uint128, amount0: p.uint256, amount1: p.uint256,
  }),
  burn: event(${topic(poolEvents.burn)}, 'Burn', {
    owner: indexed(p.address), tickLower: indexed(p.int24), tickUpper: indexed(p.int24),
    amount: p.uint128, amount0: p.uint256, amount1: p.uint256,
  }),
}
const v4 = {
  swap: event(${topic(managerEvents.swap)}, 'Swap', {
    id: indexed(p.bytes32), sender: indexed(p.address), amount0: p.int128, amount1: p.int128,
    sqrtPriceX96: p.uint160, liquidity: p.uint128, tick: p.int24, fee: p.uint24,
  }),
  change: event(${topic(managerEvents.change)}, 'ModifyLiquidity', {
    id: indexed(p.bytes32), sender: indexed(p.address), tickLower: p.int24, tickUpper: p.int24,
    liquidityDelta: p.int256, salt: p.bytes32,
  }),
}
const topicsOf = (events) => Object.values(events).map((each) => each.topic)
const [factory, manager] = [${literal(factory)}, ${literal(manager)}]

const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url: ${literal(url)} })
  .setFinalityConfirmation(5)
  .setBlockRange({ from: ${firstBlock}, to: ${lastBlock} })
  .setFields({ log: { topics: true, data: true } })
  .addLog({ address: [factory], topic0: [created.topic] })
  .addLog({ topic0: topicsOf(v3) })
  .addLog({ address: [manager], topic0: topicsOf(v4) })

const pools = new Set()
const kindOf = (events, { topics }) =>
  Object.keys(events).find((kind) => events[kind].topic === topics[0])

processor.run(new TypeormDatabase(), async (ctx) => {
  const rows = []
  for (const { header, logs } of ctx.blocks) {
    for (const log of logs) {
      if (log.address === factory) {
        pools.add(created.decode(log).pool)
        continue
      }
      const isV4 = log.address === manager
      if (!isV4 && !pools.has(log.address)) continue
      const events = isV4 ? v4 : v3
      const kind = kindOf(events, log)
      if (kind === undefined) continue
      const decoded = events[kind].decode(log)
      rows.push(new PoolEvent({
        id: log.id, pool: isV4 ? decoded.id : log.address, kind, block: header.height,
        amount0: decoded.amount0, amount1: decoded.amount1,
        price: decoded.sqrtPriceX96, tick: decoded.tick,
        liquidity: decoded.liquidity ?? decoded.amount ?? decoded.liquidityDelta,
      }))
    }
  }
  await ctx.store.insert(rows)
})
`

export const subsquid: Peer = {
  name: 'subsquid',
  title: 'Subsquid 1.27.3',
  // The newest typeorm-store whose dependencies are all on npm.
  packages: {
    '@subsquid/evm-processor': '1.27.3',
    '@subsquid/evm-abi': '0.3.1',
    '@subsquid/evm-codec': '0.3.0',
    '@subsquid/typeorm-store': '1.5.1',
    typeorm: '0.3.17',
    pg: '8.23.1',
  },
  overrides: {},
  tools: {},
  type: 'commonjs',
  files: (task) => ({ 'lib/model/index.js': model, 'main.js': main(task) }),
  setupSql:
    'CREATE TABLE pool_event (id text PRIMARY KEY, pool text NOT NULL, kind text NOT NULL, ' +
    'block int NOT NULL, amount0 numeric, amount1 numeric, price numeric, liquidity numeric, ' +
    'tick int)',
  prepare: [],
  start: ['node', 'main.js'],
  environment: ({ databaseUrl }) => ({ DB_URL: databaseUrl }),
  countQuery: 'SELECT count(*)::int AS rows FROM pool_event',
}
