import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPatientHttpClient } from '../../test/support/net/loopback.ts'
import { anvilSender, startAnvil, type TestAnvil } from '../../test/support/rpc/anvil.ts'
import { word } from '../../test/support/rpc/fake-node.ts'
import { createMemoryLogger, logsOf } from '../../test/support/rpc/reader.ts'
import type { Address, Hex } from '../domain/units.ts'
import { systemTimer } from '../net/timer.ts'
import type { CallResult, ContractCall } from '../ports/chain-reader.ts'
import { createChainReader, type RpcChainReader } from './chain-reader.ts'

/** Contracts as we may meet them, and one that does what Multicall3 does. */
const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.26;
struct Call { address target; bool allowFailure; bytes callData; }
struct Result { bool success; bytes returnData; }
contract Multicall {
  function aggregate3(Call[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
    }
  }
}
contract Subject {
  event Emitted(uint256 indexed number, uint256 value);
  uint256 stored = 42;
  function record(uint256 number) external { emit Emitted(number, number * number); }
  function get() external view returns (uint256) { return stored; }
  function height() external view returns (uint256) { return block.number; }
  function refuse() external pure { revert("rate limit exceeded"); }
  function burn() external view { while (gasleft() > 0) {} }
  function flood(uint256 size) external pure { assembly { return(0, size) } }
}`

type Solc = { readonly compile: (input: string) => string }
const compile = (): Record<string, Hex> => {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } }
  const settings = { evmVersion: 'cancun', outputSelection }
  const input = { language: 'Solidity', sources: { s: { content: source } }, settings }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const contracts = output.contracts.s as Record<string, { evm: { bytecode: { object: string } } }>
  return Object.fromEntries(
    Object.entries(contracts).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]),
  )
}

const selectors = {
  record: '0x2c16cd8a',
  get: '0x6d4ce63c',
  height: '0x0ef26743',
  refuse: '0x62c69b80',
  burn: '0x44df8e70',
  flood: '0x192d0440',
} as const

let anvil: TestAnvil
let subject: Address
let multicall3: Address

const send = async (transaction: { to?: Address; data: Hex }): Promise<Record<string, Hex>> => {
  const hash = await anvil.ask('eth_sendTransaction', {
    from: anvilSender,
    gas: '0x989680',
    ...transaction,
  })
  for (;;) {
    const receipt = await anvil.ask<Record<string, Hex> | null>('eth_getTransactionReceipt', hash)
    if (receipt !== null) return receipt
  }
}
const deploy = async (bytecode: Hex | undefined): Promise<Address> =>
  (await send({ data: bytecode ?? '0x' })).contractAddress as Address

const createReader = (over: { multicall3?: Address | null; finality?: 'finalized' } = {}) =>
  createChainReader({
    urls: [anvil.url],
    chainId: 4663,
    multicall3,
    finality: { blocks: 3 },
    httpClient: createPatientHttpClient(),
    timer: systemTimer,
    random: Math.random,
    logger: createMemoryLogger(),
    ...over,
  })
let reader: RpcChainReader

/** Of long data only its length, so that a difference can be read. */
const inShort = (result: CallResult) =>
  result.ok && result.data.length > 1000 ? { ok: true, bytes: result.data.length / 2 - 1 } : result

beforeAll(async () => {
  anvil = await startAnvil(['--slots-in-an-epoch', '2'])
  const bytecode = compile()
  multicall3 = await deploy(bytecode.Multicall)
  subject = await deploy(bytecode.Subject)
  for (let i = 1; i <= 5; i++) {
    await send({ to: subject, data: `${selectors.record}${word(i).slice(2)}` })
  }
  await anvil.ask('anvil_mine', '0x3')
  reader = createReader()
})

afterAll(() => anvil.stop())

describe('a real node', () => {
  it('chain id and heads', async () => {
    expect(await reader.chainId()).toEqual({ ok: true, value: 4663 })
    const heads = await reader.getHeads()
    expect(heads).toMatchObject({ value: { latest: { block: 10 }, finalized: { block: 7 } } })
    expect(await reader.getBlockRef(10)).toEqual({
      ok: true,
      value: heads.ok && heads.value.latest,
    })
    const byTag = await createReader({ finality: 'finalized' }).getHeads()
    expect(byTag).toMatchObject({ value: { latest: { block: 10 }, finalized: { block: 6 } } })
  })

  it('logs, with the ends of their range', async () => {
    const read = await reader.readRange({ from: 4, to: 9 }, { addresses: [subject], topics: [] })
    if (!read.ok) throw new Error(read.fault.detail)
    const { logs, last, parentHash } = read.value
    expect(logs.map(({ block, topics, data }) => [block, topics[1], data])).toEqual(
      [2, 3, 4, 5].map((i) => [i + 2, word(i), word(i * i)]),
    )
    for (const log of logs) {
      expect(await reader.getBlockRef(log.block)).toMatchObject({
        value: { hash: log.blockHash, ts: log.ts },
      })
    }
    expect(await reader.getBlockRef(9)).toEqual({ ok: true, value: last })
    expect(await reader.getBlockRef(3)).toMatchObject({ value: { hash: parentHash } })
  })

  it('logs by an indexed topic, by several, by none that exists', async () => {
    const range = { from: 0, to: 10 }
    const countOf = async (topics: readonly (readonly Hex[] | null)[]) => {
      const logs = await logsOf(reader, range, { topics })
      return logs.ok ? logs.value.length : logs.fault
    }
    expect(await countOf([null, [word(2)]])).toBe(1)
    expect(await countOf([null, [word(2), word(4), word(9)]])).toBe(2)
    expect(await countOf([[word(2)]])).toBe(0)
    expect(await countOf([null, []])).toBe(0)
  })

  it('senders of transactions, in their own block only', async () => {
    const logs = await logsOf(reader, { from: 4, to: 9 }, { topics: [] })
    if (!logs.ok) throw new Error(logs.fault.detail)
    const mined = logs.value.map(({ txHash, block }) => ({ txHash, block }))
    const elsewhere = mined.map(({ txHash, block }) => ({ txHash, block: block - 1 }))
    const unknown = { txHash: word(1), block: 4 }
    expect(await reader.readSenders([...mined, ...elsewhere, unknown])).toEqual({
      ok: true,
      value: [...mined.map(() => anvilSender.toLowerCase()), null, null, null, null, null],
    })
  })

  it('beyond its head it is behind', async () => {
    expect(await reader.getBlockRef(100)).toMatchObject({ fault: { kind: 'behind' } })
    const logs = await logsOf(reader, { from: 9, to: 100 }, { topics: [] })
    expect(logs).toMatchObject({ fault: { kind: 'behind' } })
    expect(await reader.callContracts([{ to: subject, data: selectors.get }], 100)).toMatchObject({
      fault: { kind: 'behind' },
    })
  })

  it('storage', async () => {
    const found = await reader.getBlockRef(10)
    if (!found.ok) throw new Error(found.fault.detail)
    const at = found.value
    const set = await reader.getStorageAt([subject], word(0), at)
    expect(set).toEqual({ ok: true, value: [word(42)] })
    const both = await reader.getStorageAt([subject, multicall3], word(7), at)
    expect(both).toEqual({ ok: true, value: [word(0), word(0)] })
  })

  it.each([
    ['over Multicall3', () => createReader()],
    ['one by one', () => createReader({ multicall3: null })],
  ])('calls, of which some are hostile, %s', async (_, create) => {
    const flood = (size: number): Hex => `${selectors.flood}${word(size).slice(2)}`
    const call = (data: Hex): ContractCall => ({ to: subject, data })
    const fine = { ok: true, data: word(42) }
    const cases: readonly (readonly [Hex, unknown])[] = [
      [selectors.get, fine],
      [selectors.refuse, { ok: false, reason: 'reverted' }],
      [selectors.get, fine],
      [selectors.burn, { ok: false, reason: 'reverted' }],
      [selectors.get, fine],
      [flood(65_536), { ok: true, bytes: 65_536 }],
      [flood(65_537), { ok: false, reason: 'too-large' }],
      [flood(600_000), { ok: false, reason: 'too-large' }],
      [flood(1e9), { ok: false, reason: 'reverted' }],
      ['0xffffffff', { ok: false, reason: 'reverted' }],
      [selectors.get, fine],
    ]
    const answers = await create().callContracts(
      cases.map(([data]) => call(data)),
      'latest',
    )
    expect(answers.ok && answers.value.map(inShort)).toEqual(cases.map(([, expected]) => expected))
    const noContract: ContractCall = {
      to: '0x00000000000000000000000000000000deadbeef',
      data: '0x',
    }
    expect(await create().callContracts([noContract, call(selectors.get)], 10)).toEqual({
      ok: true,
      value: [{ ok: true, data: '0x' }, fine],
    })
  })

  it('calls at a block', async () => {
    const heights = Array.from({ length: 2 }, () => ({ to: subject, data: selectors.height }))
    expect(await reader.callContracts(heights, 8)).toEqual({
      ok: true,
      value: heights.map(() => ({ ok: true, data: word(8) })),
    })
  })

  it('a reorg shows in the hash of the block before the range', async () => {
    const before = await reader.getBlockRef(9)
    await anvil.ask('anvil_reorg', 3, [])
    const read = await reader.readRange({ from: 10, to: 10 }, { topics: [] })
    expect(read.ok).toBe(true)
    expect(read.ok && before.ok && read.value.parentHash !== before.value.hash).toBe(true)
  })
})
