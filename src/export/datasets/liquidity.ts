import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { secondsPerDay } from '../../domain/time.ts'
import {
  type Column,
  date,
  hex,
  hexLabel,
  int32,
  int64,
  label,
  type Shared,
  shared,
  text,
  timestamp,
} from '../columns.ts'
import type { DayDataset } from '../dataset.ts'
import { bigintOfDigits } from '../digits.ts'
import { contractOf, type FileFacts, projectOf, stockOf } from '../pool-facts.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from './cells.ts'

const columns: readonly Column[] = [
  shared(label('blockchain')),
  shared(label('project')),
  shared(label('version')),
  date('block_date'),
  timestamp('block_time'),
  int64('block_number'),
  shared(label('project_contract_address')),
  hex('tx_hash'),
  int32('evt_index'),
  int32('tx_index', 'null'),
  shared(label('pool_id')),
  shared(label('token0_symbol', 'null')),
  shared(label('token1_symbol', 'null')),
  shared(label('stock_symbol', 'null')),
  shared(label('stock_address', 'null')),
  label('kind'),
  int32('tick_lower'),
  int32('tick_upper'),
  text('liquidity_delta'),
  hexLabel('owner', 'null'),
  hexLabel('sender', 'null'),
  hexLabel('salt', 'null'),
  shared(label('protocol')),
  shared(label('venue_address')),
]

const createShared = ({ network, poolOf }: FileFacts) => {
  const known = new Map<PoolNumber, Shared>()
  return (number: PoolNumber): Shared => {
    const before = known.get(number)
    if (before !== undefined) return before
    const facts = poolOf(number)
    const { pool, token0, token1 } = facts
    const stock = stockOf(facts)
    const values = [
      ...[network, ...projectOf(pool), contractOf(pool), pool.id],
      ...[token0.symbol, token1.symbol],
      ...[stock?.symbol ?? null, stock?.address ?? null],
      ...[pool.protocol, pool.venue],
    ]
    known.set(number, values)
    return values
  }
}

/** Places of the table's columns in a row. */
const at = {
  pool: 0,
  block: 1,
  logIndex: 2,
  ts: 3,
  txHash: 4,
  tickLower: 5,
  tickUpper: 6,
  liquidityDelta: 7,
  txIndex: 8,
  owner: 9,
  sender: 10,
  salt: 11,
} as const

const wordDigits = 64

const createRows: DayDataset['createRows'] = (facts, { dayTs, add }) => {
  const sharedOf = createShared(facts)
  const day = dayTs / secondsPerDay
  return (row) => {
    const delta = bigintOfDigits(textOf(row[at.liquidityDelta]))
    add(
      [
        day,
        numberOf(row[at.ts]),
        numberOf(row[at.block]),
        textOf(row[at.txHash]),
        numberOf(row[at.logIndex]),
        numberOrNull(row[at.txIndex]),
        delta < 0n ? 'remove' : 'add',
        numberOf(row[at.tickLower]),
        numberOf(row[at.tickUpper]),
        delta.toString(),
        textOrNull(row[at.owner]),
        textOrNull(row[at.sender]),
        textOrNull(row[at.salt])?.padStart(wordDigits, '0') ?? null,
      ],
      sharedOf(numberOf(row[at.pool])),
    )
  }
}

export const liquidityDataset: DayDataset = {
  kind: 'days',
  columns,
  table: 'liquidity_changes',
  blockAt: at.block,
  createRows,
}
