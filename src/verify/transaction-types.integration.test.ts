import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPatientHttpClient } from '../../test/support/net/loopback.ts'
import { startAnvil, type TestAnvil } from '../../test/support/rpc/anvil.ts'
import type { Hex } from '../domain/units.ts'
import type { JsonRecord } from '../net/json.ts'
import { systemTimer } from '../net/timer.ts'
import { readEvidence } from './block-evidence.ts'
import { createVerifierNode } from './verifier-node.ts'

/** The first development key, which every anvil and Hardhat node prints. */
const developmentKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Init code of a contract that emits one empty log with the topic 7 whenever it is called. */
const emitter = '0x6007600c60003960076000f360075f5fa10000'

let anvil: TestAnvil

beforeAll(async () => {
  anvil = await startAnvil(['--hardfork', 'prague', '--no-mining', '--order', 'fifo'])
})

afterAll(() => anvil.stop())

const mine = async (): Promise<void> => {
  await anvil.ask('anvil_mine', '0x1')
}

it('a real block with transactions of the types 0, 1, 2 and 4 is proved', async () => {
  const account = privateKeyToAccount(developmentKey)
  const chain = { ...foundry, id: 4663 }
  const wallet = createWalletClient({ account, chain, transport: http(anvil.url) })
  const deployed = await wallet.sendTransaction({ data: emitter, gas: 200_000n })
  await mine()
  const { contractAddress: to } = await anvil.ask<{ contractAddress: Hex }>(
    'eth_getTransactionReceipt',
    deployed,
  )
  const gas = 200_000n
  const gasPrice = 10_000_000_000n
  await wallet.sendTransaction({ to, gas, gasPrice, type: 'legacy' })
  const accessList = [{ address: to, storageKeys: [] }]
  await wallet.sendTransaction({ to, gas, gasPrice, accessList, type: 'eip2930' })
  await wallet.sendTransaction({ to, gas, maxFeePerGas: gasPrice, type: 'eip1559' })
  const authorization = await wallet.signAuthorization({ contractAddress: to, executor: 'self' })
  await wallet.sendTransaction({ to, gas, authorizationList: [authorization], type: 'eip7702' })
  await mine()

  const node = createVerifierNode({
    url: anvil.url,
    httpClient: createPatientHttpClient(),
    timer: systemTimer,
    requestsPerSecond: 100,
    batchMax: 10,
  })
  const block = await node.readBlock('latest')
  if (!block.ok) throw new Error(block.fault.reason)
  const receipts = await node.readReceipts(block.value)
  const types = receipts.ok ? (receipts.value as readonly JsonRecord[]).map(({ type }) => type) : []
  expect(types).toEqual(['0x0', '0x1', '0x2', '0x4'])
  expect(block.value.requestsHash).toBeDefined()
  const evidence = await readEvidence(node, block.value.hash as Hex)
  if (!evidence.ok) throw new Error(evidence.fault.reason)
  const logs = await evidence.value.logs()
  const topic = `0x${'7'.padStart(64, '0')}`
  expect(logs.ok && logs.value.map(({ address, topics }) => [address, ...topics])).toEqual(
    types.map(() => [to, topic]),
  )
})
