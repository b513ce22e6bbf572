import type { BlockRef } from '../../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../../src/domain/chain/log.ts'
import { failure, type Outcome, success } from '../../../src/domain/outcome.ts'
import type { PoolPrice } from '../../../src/domain/pool/pool-event.ts'
import type { ContractFees } from '../../../src/domain/pool/pool-state.ts'
import type { Address, BlockNumber, Hex } from '../../../src/domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  CallResult,
  ChainReader,
  ContractCall,
  LogFilter,
  RpcFault,
} from '../../../src/ports/chain-reader.ts'
import { type RawLog, sampleHash } from '../domain/sample-chain.ts'
import type { SamplePool } from '../domain/sample-pool.ts'

export const chainStartTs = 1_800_000_000
/** One block every two seconds. */
export const blockTs = (block: BlockNumber): number => chainStartTs + block * 2

export const stateView: Address = `0x${'d'.repeat(40)}`

type Ask = {
  readonly kind: 'getHeads' | 'getBlockRef' | 'logs' | 'callContracts'
  readonly filter?: LogFilter
}

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const ok = (data: string): CallResult => ({ ok: true, data: `0x${data}` })
const reverted: CallResult = { ok: false, reason: 'reverted' }

const matches = (log: ChainLog, { addresses, topics }: LogFilter): boolean =>
  (addresses === undefined || addresses.includes(log.address)) &&
  topics.every((wanted, at) => wanted === null || wanted.includes(log.topics[at] as Hex))

type Moment = PoolPrice & {
  readonly block: BlockNumber
  readonly liquidity: bigint
  /** Null in v3. */
  readonly fees: ContractFees | null
}

/** Call results of tokens, stocks and feeds; pools compute their own. */
export type ContractAnswers = (call: ContractCall) => CallResult | undefined

/** The block of a call; a block ref is not compared with the chain's hash. */
export const calledAt = (at: Parameters<ChainReader['callContracts']>[1], head: BlockNumber) => {
  if (at === 'latest') return head
  return typeof at === 'object' ? at.block : at
}

/** A long chain with few events, its contracts, and the limits of a public endpoint. */
export const createLongChain = (answers: ContractAnswers) => {
  const logs: ChainLog[] = []
  let pending: RawLog[] = []
  const pools = new Map<string, { readonly pool: SamplePool; readonly moments: Moment[] }>()
  const asked: Ask[] = []
  const node = {
    head: 0,
    /** Logs in one answer. */
    logsMax: 10_000,
    /** Blocks whose state is kept. */
    stateBlocks: 1_000_000,
    /** A fault for a question, if it is to fail. */
    faultOf: (_ask: Ask): RpcFault | null => null,
  }

  const anchorAt = (block: BlockNumber): BlockRef => ({
    block,
    hash: sampleHash(block),
    ts: blockTs(block),
  })

  const ask = (one: Ask): RpcFault | null => {
    asked.push(one)
    return node.faultOf(one)
  }

  const stateOf = ({ to, data }: ContractCall, at: BlockNumber): CallResult | undefined => {
    const isView = to === stateView
    const known = pools.get(isView ? `0x${data.slice(10)}` : to)
    const moment = known?.moments.findLast(({ block }) => block <= at)
    if (known === undefined) return undefined
    if (moment === undefined) return reverted
    const { sqrtPriceX96, tick, liquidity, fees } = moment
    const isSlot0 = data.startsWith('0x3850c7bd') || data.startsWith('0xc815641c')
    if (!isSlot0) return ok(word(liquidity))
    const ofV4 = fees && [fees.protocolFee, fees.lpFee]
    const rest = ofV4 ?? Array.from({ length: 5 }, () => 0)
    return ok([sqrtPriceX96, ...[tick, ...rest].map(BigInt)].map(word).join(''))
  }

  const readLogs = (
    { from, to }: BlockRange,
    filter: LogFilter,
  ): Outcome<readonly ChainLog[], RpcFault> => {
    const found = logs.filter((log) => log.block >= from && log.block <= to && matches(log, filter))
    if (found.length <= node.logsMax) return success(found)
    const detail = `logs matched by query exceeds limit of ${node.logsMax}`
    return failure({ kind: 'range-too-large', suggestedBlocks: null, detail })
  }

  const readRange = (range: BlockRange, filter: LogFilter): Outcome<BlockRangeLogs, RpcFault> => {
    const fault = ask({ kind: 'logs', filter })
    const read = fault === null ? readLogs(range, filter) : failure(fault)
    if (!read.ok) return read
    const [parent, last] = [anchorAt(range.from - 1), anchorAt(range.to)]
    return success({ logs: read.value, parentHash: parent.hash, last })
  }

  const reader: ChainReader = {
    chainId: async () => success(4663),
    getHeads: async () => {
      const fault = ask({ kind: 'getHeads' })
      if (fault !== null) return failure(fault)
      return success({ latest: anchorAt(node.head), finalized: anchorAt(0) })
    },
    getBlockRef: async (block) => {
      const fault = ask({ kind: 'getBlockRef' })
      return fault === null ? success(anchorAt(block)) : failure(fault)
    },
    readRange: async (range, filter) => readRange(range, filter),
    readRangeCrossChecked: async (range, filter) => {
      const read = readRange(range, filter)
      return read.ok ? success({ ...read.value, endpointsAgreed: 1 }) : read
    },
    callContracts: async (calls, at) => {
      for (let piece = 0; piece < calls.length; piece += 300) {
        const fault = ask({ kind: 'callContracts' })
        if (fault !== null) return failure(fault)
      }
      const block = calledAt(at, node.head)
      if (node.head - block > node.stateBlocks) {
        return failure({ kind: 'behind', detail: 'metadata is not found' })
      }
      return success(calls.map((call) => answers(call) ?? stateOf(call, block) ?? reverted))
    },
    getStorageAt: async (addresses) => success(addresses.map(() => sampleHash(0))),
  }

  return {
    reader,
    node,
    asked,
    emit: (log: RawLog): void => {
      pending.push(log)
    },
    /** Puts what was emitted into this block, which becomes the head. */
    mine: (block: BlockNumber): void => {
      const txHash: Hex = `0x${block.toString(16).padStart(64, 'c')}`
      const { hash: blockHash, ts } = anchorAt(block)
      logs.push(
        ...pending.map((log, logIndex) => {
          const place = { block, blockHash, ts, txHash, txIndex: 0, logIndex }
          return { ...log, ...place }
        }),
      )
      pending = []
      node.head = Math.max(node.head, block)
      for (const { pool, moments } of pools.values()) {
        const [liquidity, fees] = [pool.liquidity(), pool.fees()]
        moments.push({ block, ...pool.price(), liquidity, fees })
      }
    },
    /** Lets the pool's contract answer. */
    deploy: (pool: SamplePool): void => {
      pools.set(pool.id, { pool, moments: [] })
    },
    logs: (): readonly ChainLog[] => logs,
  }
}

export type LongChain = ReturnType<typeof createLongChain>
