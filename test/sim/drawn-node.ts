import type { ChainLog } from '../../src/domain/chain/log.ts'
import { decodePoolLog } from '../../src/domain/ingest/decode-pool-log.ts'
import { failure, type Outcome, success } from '../../src/domain/outcome.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  CallResult,
  ChainReader,
  ContractCall,
  LogFilter,
  RpcFault,
} from '../../src/ports/chain-reader.ts'
import { sampleHash } from '../support/domain/sample-chain.ts'
import { venues } from '../support/domain/sample-market.ts'
import { factory, keccak } from '../support/domain/sample-pool.ts'
import { calledAt } from '../support/indexer/long-chain.ts'
import { type ChainView, firstBlock } from './sim-chain.ts'

/** How a node misbehaves; tests change it as they go. */
export type NodeFaults = {
  /** Blocks of the chain that it has not seen. */
  lag: number
  /** Logs that it leaves out, as one whose log index lags or was pruned. */
  hides: (log: ChainLog) => boolean
  /** Logs in an answer; more are refused. */
  logsMax: number
  /** How many endpoints agree in a finality check. */
  endpointsAgreed: number
  /** Happens before each answer; logs are asked for with a filter. */
  before: (question: string, filter?: LogFilter) => void
}

const behind = (detail: string): { readonly ok: false; readonly fault: RpcFault } =>
  failure({ kind: 'behind', detail })

const matches =
  ({ addresses, topics }: LogFilter) =>
  (log: ChainLog) =>
    (addresses?.includes(log.address) ?? true) &&
    topics.every((any, at) => any === null || any.includes(log.topics[at] ?? '0x'))

/** slot0() of a v3 pool. */
const slot0 = '0x3850c7bd'

/** A v3 pool's price as its contract has it, whichever of its logs a node returns. */
const stateOf = ({ to: pool, data }: ContractCall, logs: readonly ChainLog[]): CallResult => {
  const own = { protocol: 'uniswap-v3', venue: factory }
  const findPool = (id: string) => (id === pool ? own : undefined)
  const prices = logs
    .filter(({ address }) => address === pool)
    .map((log) => decodePoolLog(log, { venues, keccak256: keccak, findPool }))
    .flatMap((read) => (read.ok && 'sqrtPriceX96' in read.event ? [read.event.sqrtPriceX96] : []))
  const words = data === slot0 ? [prices.at(-1) ?? 0n, 0n, 0n, 0n, 0n, 0n, 0n] : [0n]
  const digits = words.map((word) => word.toString(16).padStart(64, '0'))
  return { ok: true, data: `0x${digits.join('')}` }
}

export const createDrawnNode = (chain: ChainView) => {
  const faults: NodeFaults = {
    lag: 0,
    hides: () => false,
    logsMax: 40,
    endpointsAgreed: 1,
    before: () => {},
  }
  const seen = () => chain.head() - faults.lag

  const answer = (
    { from, to }: BlockRange,
    filter: LogFilter,
  ): Outcome<readonly ChainLog[], RpcFault> => {
    if (to > seen()) return behind(`block ${to} is unknown`)
    const logs = chain.logs(from, to).filter(matches(filter))
    if (logs.length > faults.logsMax && to > from) {
      return failure({ kind: 'range-too-large', suggestedBlocks: null, detail: 'too many' })
    }
    return success(logs.filter((log) => !faults.hides(log)))
  }

  const readRange = (range: BlockRange, filter: LogFilter): Outcome<BlockRangeLogs, RpcFault> => {
    const logs = answer(range, filter)
    if (!logs.ok) return logs
    const last = chain.anchor(range.to)
    if (last === undefined) return behind(`block ${range.to} is unknown`)
    const parentHash = chain.anchor(range.from - 1)?.hash ?? sampleHash(range.from - 1)
    return success({ logs: logs.value, parentHash, last })
  }

  const reader: ChainReader = {
    chainId: async () => success(466_300),
    getHeads: async () => {
      faults.before('heads')
      const latest = chain.anchor(seen())
      const finalBlock = chain.finalBlock()
      if (latest === undefined) return behind('no block is known')
      const known =
        finalBlock === null || finalBlock > seen() ? undefined : chain.anchor(finalBlock)
      return success({ latest, finalized: known ?? null })
    },
    getBlockRef: async (block) => {
      faults.before('anchor')
      const anchor = block > seen() ? undefined : chain.anchor(block)
      return anchor === undefined ? behind(`block ${block} is unknown`) : success(anchor)
    },
    readRange: async (range, filter) => {
      faults.before('readRange', filter)
      return readRange(range, filter)
    },
    readRangeCrossChecked: async (range, filter) => {
      faults.before('readRangeCrossChecked', filter)
      const read = readRange(range, filter)
      return read.ok ? success({ ...read.value, endpointsAgreed: faults.endpointsAgreed }) : read
    },
    callContracts: async (calls, at) => {
      faults.before('callContracts')
      const block = calledAt(at, seen())
      if (block > seen()) return behind(`block ${block} is unknown`)
      const logs = chain.logs(firstBlock, block)
      return success(calls.map((call) => stateOf(call, logs)))
    },
    getStorageAt: async () => success([]),
  }
  return { reader, faults }
}

export type DrawnNode = ReturnType<typeof createDrawnNode>
