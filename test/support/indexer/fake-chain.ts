import type { BlockRef } from '../../../src/domain/chain/block-ref.ts'
import type { ChainLog } from '../../../src/domain/chain/log.ts'
import { failure, success } from '../../../src/domain/outcome.ts'
import type { Address, BlockNumber, Hash, Hex } from '../../../src/domain/units.ts'
import type {
  BlockRange,
  CallResult,
  ChainReader,
  ContractCall,
  LogFilter,
  RpcFault,
} from '../../../src/ports/chain-reader.ts'
import { createSampleChain, type SampleChain, sampleHash } from '../domain/sample-chain.ts'
import { calledAt } from './long-chain.ts'

/** Logs are asked for in more than one way. */
type Method = Exclude<keyof ChainReader, 'readRange' | 'readRangeCrossChecked'> | 'logs'

/** How a contract answers; the block is the one that the caller asks about. */
export type Contract = (data: Hex, at: BlockNumber) => CallResult

const noContract: CallResult = { ok: true, data: '0x' }
const noWord: Hash = `0x${'0'.repeat(64)}`

const matches = ({ address, topics }: ChainLog, filter: LogFilter): boolean =>
  (filter.addresses?.includes(address) ?? true) &&
  filter.topics.every((wanted, position) => {
    const topic = topics[position]
    return wanted === null || (topic !== undefined && wanted.includes(topic))
  })

/** Faults by method: each is told so many times, the first one first. */
const createFaults = () => {
  const faults: { readonly method: Method; readonly fault: RpcFault; times: number }[] = []
  return {
    add: (method: Method, fault: RpcFault, times: number) => faults.push({ method, fault, times }),
    next: (method: Method): RpcFault | null => {
      const due = faults.find((each) => each.method === method && each.times > 0)
      if (due === undefined) return null
      due.times -= 1
      return due.fault
    },
    clear: () => {
      faults.length = 0
    },
  }
}

type RangeLimit = { readonly blocks: number; readonly isStated: boolean }

/** What a node may be made to do wrong. */
const createMischief = () => {
  let rangeLimit: RangeLimit | null = null
  let isHidden = (_: ChainLog): boolean => false
  const replaced = new Map<BlockNumber, number>()
  return {
    /** Longer ranges are refused, with the limit in the refusal or without. */
    limitRanges: (limit: RangeLimit | null) => {
      rangeLimit = limit
    },
    /** Logs that the node forgets to tell. */
    hideLogs: (hidden: (log: ChainLog) => boolean) => {
      isHidden = hidden
    },
    /** Another branch has this block now. */
    replaceBlock: (block: BlockNumber) => {
      replaced.set(block, (replaced.get(block) ?? 0) + 1)
    },
    refusalOf: ({ from, to }: BlockRange): RpcFault | null => {
      if (rangeLimit === null || to - from + 1 <= rangeLimit.blocks) return null
      const suggestedBlocks = rangeLimit.isStated ? rangeLimit.blocks : null
      return { kind: 'range-too-large', suggestedBlocks, detail: 'too many blocks' }
    },
    tells: (log: ChainLog) => !isHidden(log),
    seen: (anchor: BlockRef): BlockRef => {
      const branch = replaced.get(anchor.block)
      return branch === undefined ? anchor : { ...anchor, hash: sampleHash(anchor.block, branch) }
    },
  }
}

/** Below everything that is read: final, but nothing to settle. */
const genesis: BlockRef = { block: 0, hash: sampleHash(0), ts: 0 }

const behind: RpcFault = { kind: 'behind', detail: 'header not found' }

/** A chain in memory that is read through the port, with a journal of what was asked. */
export const createFakeChain = (
  chain: SampleChain = createSampleChain({ block: 1, ts: 1_800_000_000 }),
) => {
  const contracts = new Map<Address, Contract>()
  const storage = new Map<string, Hash>()
  const faults = createFaults()
  const mischief = createMischief()
  const asked: { readonly method: Method; readonly range?: BlockRange }[] = []

  const blockAt = (number: BlockNumber) => {
    const first = chain.blocks()[0]?.blockRef.block ?? 0
    return chain.blocks()[number - first]
  }
  const latest = () => chain.blocks().at(-1)?.blockRef

  const answer = ({ to, data }: ContractCall, at: BlockNumber): CallResult =>
    contracts.get(to)?.(data, at) ?? noContract

  /** Notes the question, then answers it, unless a fault is due. */
  const ask = async <T>(method: Method, read: () => T | null, range?: BlockRange) => {
    asked.push(range === undefined ? { method } : { method, range })
    const fault = faults.next(method) ?? (range === undefined ? null : mischief.refusalOf(range))
    if (fault !== null) return failure(fault)
    const value = read()
    return value === null ? failure(behind) : success(value)
  }

  const readLogs = ({ from, to }: BlockRange, filter: LogFilter): readonly ChainLog[] | null => {
    if (blockAt(to) === undefined) return null
    const blocks = Array.from({ length: to - from + 1 }, (_, index) => blockAt(from + index))
    return blocks
      .flatMap((block) => block?.logs ?? [])
      .filter((log) => matches(log, filter) && mischief.tells(log))
  }

  const readRange = (range: BlockRange, filter: LogFilter) => {
    const logs = readLogs(range, filter)
    const last = blockAt(range.to)?.blockRef
    if (logs === null || last === undefined) return null
    const parent = blockAt(range.from - 1)?.blockRef
    const parentHash =
      parent === undefined ? sampleHash(range.from - 1) : mischief.seen(parent).hash
    return { logs, parentHash, last: mischief.seen(last) }
  }
  const witnessed = (read: ReturnType<typeof readRange>) =>
    read === null ? null : { ...read, endpointsAgreed: 1 }

  const reader: ChainReader = {
    chainId: () => ask('chainId', () => 7),
    getHeads: () =>
      ask('getHeads', () => {
        const head = latest()
        return head === undefined ? null : { latest: mischief.seen(head), finalized: genesis }
      }),
    getBlockRef: (block) =>
      ask('getBlockRef', () => {
        const found = blockAt(block)?.blockRef
        return found === undefined ? null : mischief.seen(found)
      }),
    readRange: (range, filter) => ask('logs', () => readRange(range, filter), range),
    readRangeCrossChecked: (range, filter) =>
      ask('logs', () => witnessed(readRange(range, filter)), range),
    callContracts: (calls, at) =>
      ask('callContracts', () => {
        return calls.map((call) => answer(call, calledAt(at, latest()?.block ?? 0)))
      }),
    getStorageAt: (addresses, slot) =>
      ask('getStorageAt', () =>
        addresses.map((address) => storage.get(`${address}:${slot}`) ?? noWord),
      ),
  }

  return {
    ...chain,
    reader,
    ...mischief,
    /** The next so many questions of this kind are answered by the fault. */
    fail: (method: Method, fault: RpcFault, times = Number.POSITIVE_INFINITY) =>
      faults.add(method, fault, times),
    heal: faults.clear,
    deploy: (address: Address, contract: Contract) => contracts.set(address, contract),
    store: (address: Address, slot: Hash, word: Hash) => storage.set(`${address}:${slot}`, word),
    count: (method: Method) => asked.filter((each) => each.method === method).length,
    /** The ranges of blocks whose logs were asked for, as lengths. */
    rangesAsked: () => asked.flatMap(({ range }) => (range ? [range.to - range.from + 1] : [])),
  }
}

export type FakeChain = ReturnType<typeof createFakeChain>
