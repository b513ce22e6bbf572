import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../src/domain/units.ts'
import { systemTimer } from '../../src/net/timer.ts'
import { createChainReader } from '../../src/rpc/chain-reader.ts'
import type { RawLog } from '../support/domain/sample-chain.ts'
import { poolOf, rootPrice, tokens } from '../support/domain/sample-market.ts'
import { manager, type SamplePool } from '../support/domain/sample-pool.ts'
import { createPatientHttpClient } from '../support/net/loopback.ts'
import { anvilSender, startAnvil, type TestAnvil } from '../support/rpc/anvil.ts'
import { createMemoryLogger } from '../support/rpc/reader.ts'
import { confirmations, createIndex, type DrawnIndex, stateOf } from './drawn-index.ts'

/**
 * A contract that emits what it is given: a word with the number of topics, 3 or 4, the topics, and
 * the data. It stands where the PoolManager is expected.
 */
const teller: Hex = `0x${[
  '600035600414602157', // if the first word is 4, go to 0x21
  '60803603806080600037606035604035602035836000a300', // LOG3
  '5b60a0360380' + '60a0600037608035606035604035602035846000a400', // LOG4
].join('')}`

const word = (value: number): string => value.toString(16).padStart(64, '0')
const calldataOf = ({ topics, data }: RawLog): Hex =>
  `0x${word(topics.length)}${topics.map((topic) => topic.slice(2)).join('')}${data.slice(2)}`

let anvil: TestAnvil

beforeAll(async () => {
  const start = ['--timestamp', '1800000000', '--hardfork', 'cancun']
  anvil = await startAnvil(['--slots-in-an-epoch', '8', ...start])
  await anvil.ask('anvil_setCode', manager, teller)
})
afterAll(() => anvil.stop())

type Act = (pool: SamplePool) => void

const born: Act = (pool) => {
  pool.create(rootPrice(70_000n))
  pool.mint(-887_220, 887_220, 10n ** 18n)
}
const tradeTo =
  (root: bigint): Act =>
  (pool) => {
    pool.swapTo(rootPrice(root))
  }
const range: Act = (pool) => pool.mint(180_000, 240_000, 10n ** 17n)

/** Applies acts to a pool; mines each log of the emitted ones in a block of its own. */
const live = async (silent: readonly Act[], emitted: readonly Act[]): Promise<void> => {
  const logs: RawLog[] = []
  const { usdg: token0, apple: token1 } = tokens
  const pool = poolOf((log) => logs.push(log), 'v4', { token0, token1 })
  for (const act of silent) act(pool)
  const from = logs.length
  for (const act of emitted) act(pool)
  for (const log of logs.slice(from)) {
    const call = { from: anvilSender, to: log.address, data: calldataOf(log) }
    const hash = await anvil.ask<Hex>('eth_sendTransaction', call)
    // It is mined a moment later: without waiting, two may share a block on a busy machine.
    while ((await anvil.ask<object | null>('eth_getTransactionReceipt', hash)) === null) {}
  }
}

const createReader = () =>
  createChainReader({
    urls: [anvil.url],
    chainId: 4663,
    multicall3: null,
    finality: 'finalized',
    httpClient: createPatientHttpClient(),
    timer: systemTimer,
    random: Math.random,
    logger: createMemoryLogger(),
  })

const blockNumber = async () => Number(await anvil.ask<Hex>('eth_blockNumber'))

const catchUp = async ({ index, step }: DrawnIndex): Promise<void> => {
  const to = (await blockNumber()) - confirmations
  for (let steps = 0; steps < 20 && index.cursor()?.block !== to; steps++) await step()
  expect(index.cursor()?.block).toBe(to)
  // The finality check runs once no new blocks are left.
  while ((await step()).waitMs === 0) {}
}

const open = async (): Promise<DrawnIndex> => {
  const reader = createReader()
  const origin = await reader.getBlockRef(1)
  return createIndex({ reader, origin: 1, originHash: origin.ok ? origin.value.hash : null })
}

/** Mines blocks without any log of the pools. */
const mine = (count: number) => anvil.ask('anvil_mine', `0x${count.toString(16)}`)

test('a reorganisation of the real EVM is followed through the real adapter', async () => {
  const common = [born, tradeTo(71_000n), range, tradeTo(72_000n)]
  const left = [tradeTo(69_000n), range, tradeTo(73_000n), tradeTo(74_000n)]
  const taken = [tradeTo(65_000n), tradeTo(66_000n), range, range, tradeTo(60_000n)]
  await live([], [...common, ...left])
  await mine(confirmations)
  const drawn = await open()
  await catchUp(drawn)
  const before = await stateOf(drawn)

  await anvil.ask('anvil_reorg', left.length + confirmations, [])
  await live(common, taken)
  await mine(confirmations)
  await catchUp(drawn)

  const fresh = await open()
  await catchUp(fresh)
  const [after, expected] = [await stateOf(drawn), await stateOf(fresh)]
  expect(after.rows).toEqual(expected.rows)
  expect(after.rows).not.toEqual(before.rows)
  expect(after.rows[0]?.swaps).toHaveLength(5)
  expect(after.header).toMatchObject({ epoch: 1, repairs: 0, cursor: expected.header.cursor })

  await mine(30)
  await catchUp(drawn)
  const final = await createReader().getHeads()
  const { header } = await stateOf(drawn)
  expect(header.finalizedCursor).toEqual(final.ok ? final.value.finalized : null)
  expect(header).toMatchObject({ crossChecked: false, repairs: 0 })
  for (const { store } of [drawn, fresh]) await store.close()
})
