import type { PlacedLog, SyntheticChain } from './generate.ts'
import { hashOf } from './hashes.ts'
import { router } from './world.ts'

const quantity = (value: number): string => `0x${value.toString(16)}`
const noHash = hashOf('nothing', 0, 0)
/** A block with logs says "look yourself" to whoever would skip it for its bloom. */
const [bloomOfAll, bloomOfNone] = ['f', '0'].map((digit) => `0x${digit.repeat(512)}`)

/** What no contract's answer depends on, but a client may insist to see. */
const constantFields = {
  nonce: '0x0000000000000000',
  sha3Uncles: noHash,
  transactionsRoot: noHash,
  stateRoot: noHash,
  receiptsRoot: noHash,
  mixHash: noHash,
  miner: router,
  difficulty: '0x0',
  totalDifficulty: '0x0',
  extraData: '0x',
  size: '0x400',
  gasLimit: '0x1c9c380',
  gasUsed: '0xf4240',
  baseFeePerGas: '0x5f5e100',
  uncles: [],
}

const transactionOf = ({ block, txHash, txIndex }: PlacedLog, blockHash: string) => ({
  hash: txHash,
  blockHash,
  blockNumber: quantity(block),
  transactionIndex: quantity(txIndex),
  from: router,
  to: router,
  input: '0x',
  value: '0x0',
  nonce: quantity(txIndex),
  gas: '0x30d40',
  gasPrice: '0x5f5e100',
  type: '0x0',
  chainId: null,
  v: '0x1b',
  r: noHash,
  s: noHash,
})

/** A chain's blocks as a node tells them, with the transactions that emitted something. */
export const createBlockBook = (chain: SyntheticChain) => {
  const byBlock = Map.groupBy(chain.logs, ({ block }) => block)
  return (block: number, isFull: boolean) => {
    const { hash, ts } = chain.anchor(block)
    const logs = byBlock.get(block) ?? []
    const senders = logs.filter(({ txHash }, at) => logs[at - 1]?.txHash !== txHash)
    return {
      number: quantity(block),
      hash,
      parentHash: chain.anchor(block - 1).hash,
      timestamp: quantity(ts),
      ...constantFields,
      logsBloom: logs.length > 0 ? bloomOfAll : bloomOfNone,
      transactions: isFull
        ? senders.map((log) => transactionOf(log, hash))
        : senders.map(({ txHash }) => txHash),
    }
  }
}
