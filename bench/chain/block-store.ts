import { router } from './contracts-and-tokens.ts'
import type { PlacedLog, SyntheticChain } from './generate.ts'
import { syntheticHash } from './hashes.ts'

const quantity = (value: number): string => `0x${value.toString(16)}`
const noHash = syntheticHash('nothing', 0, 0)
/** Blocks with logs have all bloom bits set, so that no client skips them. */
const [bloomOfAll, bloomOfNone] = ['f', '0'].map((digit) => `0x${digit.repeat(512)}`)

/** Header fields that some clients require and nothing here depends on. */
const constantHeaderFields = {
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

/** Blocks in JSON-RPC form, with the transactions that emitted logs. */
export const createBlockStore = (chain: SyntheticChain) => {
  const byBlock = Map.groupBy(chain.logs, ({ block }) => block)
  return (block: number, isFull: boolean) => {
    const { hash, ts } = chain.blockRefAt(block)
    const logs = byBlock.get(block) ?? []
    const senders = logs.filter(({ txHash }, at) => logs[at - 1]?.txHash !== txHash)
    return {
      number: quantity(block),
      hash,
      parentHash: chain.blockRefAt(block - 1).hash,
      timestamp: quantity(ts),
      ...constantHeaderFields,
      logsBloom: logs.length > 0 ? bloomOfAll : bloomOfNone,
      transactions: isFull
        ? senders.map((log) => transactionOf(log, hash))
        : senders.map(({ txHash }) => txHash),
    }
  }
}
