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

/** Both range reads count as `logs`. */
type Method = Exclude<keyof ChainReader, 'readRange' | 'readRangeCrossChecked'> | 'logs'

/** Answers a call at a block. */
export type Contract = (data: Hex, at: BlockNumber) => CallResult

const noContract: CallResult = { ok: true, data: '0x' }
const noWord: Hash = `0x${'0'.repeat(64)}`

const matches = ({ address, topics }: ChainLog, filter: LogFilter): boolean =>
  (filter.addresses?.includes(address) ?? true) &&
  filter.topics.every((wanted, position) => {
    const topic = topics[position]
    return wanted === null || (topic !== undefined && wanted.includes(topic))
  })

/** Faults by method, in order; each is returned `times` times. */
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

/** Wrong answers that a test can switch on. */
const createMisbehavior = () => {
  let rangeLimit: RangeLimit | null = null
  let isHidden = (_: ChainLog): boolean => false
  const replaced = new Map<BlockNumber, number>()
  return {
    /** Longer ranges are rejected; `isStated`: the fault contains the limit. */
    limitRanges: (limit: RangeLimit | null) => {
      rangeLimit = limit
    },
    /** Logs that the node omits. */
    hideLogs: (hidden: (log: ChainLog) => boolean) => {
      isHidden = hidden
    },
    /** Replaces the hash of a block. */
    replaceBlock: (block: BlockNumber) => {
      replaced.set(block, (replaced.get(block) ?? 0) + 1)
    },
    rangeFault: ({ from, to }: BlockRange): RpcFault | null => {
      if (rangeLimit === null || to - from + 1 <= rangeLimit.blocks) return null
      const suggestedBlocks = rangeLimit.isStated ? rangeLimit.blocks : null
      return { kind: 'range-too-large', suggestedBlocks, detail: 'too many blocks' }
    },
    isReported: (log: ChainLog) => !isHidden(log),
    seen: (anchor: BlockRef): BlockRef => {
      const branch = replaced.get(anchor.block)
      return branch === undefined ? anchor : { ...anchor, hash: sampleHash(anchor.block, branch) }
    },
  }
}

/** Finalized, but below every indexed block: no finality check is due. */
const genesis: BlockRef = { block: 0, hash: sampleHash(0), ts: 0 }

const behind: RpcFault = { kind: 'behind', detail: 'header not found' }

/** A chain in memory behind the port; it records its requests. */
export const createFakeChain = (
  chain: SampleChain = createSampleChain({ block: 1, ts: 1_800_000_000 }),
) => {
  const contracts = new Map<Address, Contract>()
  const storage = new Map<string, Hash>()
  const faults = createFaults()
  const misbehavior = createMisbehavior()
  const asked: { readonly method: Method; readonly range?: BlockRange }[] = []

  const blockAt = (number: BlockNumber) => {
    const first = chain.blocks()[0]?.blockRef.block ?? 0
    return chain.blocks()[number - first]
  }
  const latest = () => chain.blocks().at(-1)?.blockRef

  const seenHash = (number: BlockNumber): Hash | undefined => {
    const found = blockAt(number)?.blockRef
    return found && misbehavior.seen(found).hash
  }

  const answer = ({ to, data }: ContractCall, at: BlockNumber): CallResult =>
    contracts.get(to)?.(data, at) ?? noContract

  /** Records the request and answers it, unless a fault is due. */
  const ask = async <T>(method: Method, read: () => T | null, range?: BlockRange) => {
    asked.push(range === undefined ? { method } : { method, range })
    const fault =
      faults.next(method) ?? (range === undefined ? null : misbehavior.rangeFault(range))
    if (fault !== null) return failure(fault)
    const value = read()
    return value === null ? failure(behind) : success(value)
  }

  const readLogs = ({ from, to }: BlockRange, filter: LogFilter): readonly ChainLog[] | null => {
    if (blockAt(to) === undefined) return null
    const blocks = Array.from({ length: to - from + 1 }, (_, index) => blockAt(from + index))
    return blocks
      .flatMap((block) => block?.logs ?? [])
      .filter((log) => matches(log, filter) && misbehavior.isReported(log))
  }

  const readRange = (range: BlockRange, filter: LogFilter) => {
    const logs = readLogs(range, filter)
    const last = blockAt(range.to)?.blockRef
    if (logs === null || last === undefined) return null
    const parent = blockAt(range.from - 1)?.blockRef
    const parentHash =
      parent === undefined ? sampleHash(range.from - 1) : misbehavior.seen(parent).hash
    return { logs, parentHash, last: misbehavior.seen(last) }
  }
  const withAgreement = (read: ReturnType<typeof readRange>) =>
    read === null ? null : { ...read, endpointsAgreed: 1 }

  const reader: ChainReader = {
    chainId: () => ask('chainId', () => 7),
    getHeads: () =>
      ask('getHeads', () => {
        const head = latest()
        return head === undefined ? null : { latest: misbehavior.seen(head), finalized: genesis }
      }),
    getBlockRef: (block) =>
      ask('getBlockRef', () => {
        const found = blockAt(block)?.blockRef
        return found === undefined ? null : misbehavior.seen(found)
      }),
    readRange: (range, filter) => ask('logs', () => readRange(range, filter), range),
    readRangeCrossChecked: (range, filter) =>
      ask('logs', () => withAgreement(readRange(range, filter)), range),
    callContracts: (calls, at) =>
      ask('callContracts', () => {
        // A block ref requires its branch.
        if (typeof at === 'object' && seenHash(at.block) !== at.hash) return null
        return calls.map((call) => answer(call, calledAt(at, latest()?.block ?? 0)))
      }),
    getStorageAt: (addresses, slot) =>
      ask('getStorageAt', () =>
        addresses.map((address) => storage.get(`${address}:${slot}`) ?? noWord),
      ),
  }

  /** The newest block; not counted as a request. */
  const confirmedBlock = async () => {
    const head = latest()
    return head === undefined ? failure(behind) : success(head)
  }

  return {
    ...chain,
    reader,
    confirmedBlock,
    ...misbehavior,
    /** The next `times` requests of this method return the fault. */
    fail: (method: Method, fault: RpcFault, times = Number.POSITIVE_INFINITY) =>
      faults.add(method, fault, times),
    heal: faults.clear,
    deploy: (address: Address, contract: Contract) => contracts.set(address, contract),
    store: (address: Address, slot: Hash, word: Hash) => storage.set(`${address}:${slot}`, word),
    count: (method: Method) => asked.filter((each) => each.method === method).length,
    /** Number of blocks of each log request. */
    rangesAsked: () => asked.flatMap(({ range }) => (range ? [range.to - range.from + 1] : [])),
  }
}

export type FakeChain = ReturnType<typeof createFakeChain>
