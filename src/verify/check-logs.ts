import type { Address, Hash } from '../domain/units.ts'
import type { BlockEvidence } from './block-evidence.ts'
import { isWithoutLog, type ProvenLog } from './prove-logs.ts'
import { type Check, compareTexts, withoutEvidence } from './tier.ts'

/** Logs of one kind that the service publishes of a block: all, in their order, or none. */
export type PublishedLogs = {
  /** The pool's id. */
  readonly subject: string
  /** Kind of log, for the reader: `swaps`. */
  readonly field: string
  /** Contract that emits them: the v3 pool, or the v4 PoolManager. */
  readonly address: Address
  /** First topics that all of them have: the event and, for v4, the pool's id. */
  readonly topics: readonly Hash[]
  readonly logs: readonly { readonly logIndex: number; readonly transactionHash: Hash }[]
}

const tier = 'logs'

const isWanted = (log: ProvenLog, { address, topics }: PublishedLogs): boolean =>
  log.address === address && topics.every((topic, index) => log.topics[index] === topic)

/** `none`, or each log as `index in transaction`. */
const textOf = (
  logs: readonly { readonly logIndex: number; readonly transactionHash: Hash }[],
): string =>
  logs.length === 0
    ? 'none'
    : logs.map(({ logIndex, transactionHash }) => `${logIndex} in ${transactionHash}`).join(', ')

/** The logs of one kind that a block holds, of those proved. */
export const selectLogs = (
  logs: readonly ProvenLog[],
  published: PublishedLogs,
): readonly ProvenLog[] => logs.filter((log) => isWanted(log, published))

/**
 * Logs tier: the service publishes exactly the logs that the block holds. Where none is published,
 * the bloom of the header usually proves it without receipts.
 */
export const checkLogs = async (
  evidence: BlockEvidence,
  published: PublishedLogs,
): Promise<Check> => {
  const { subject, field, address, topics } = published
  const of = { tier, subject, field } as const
  const text = textOf(published.logs)
  const reason = `block ${evidence.header.block} holds other logs`
  if (isWithoutLog(evidence.header, [address, ...topics])) {
    return compareTexts(of, { published: text, proved: textOf([]) }, reason)
  }
  const logs = await evidence.logs()
  if (!logs.ok) return withoutEvidence(of, logs.fault, text)
  const held = selectLogs(logs.value, published).map(({ logIndex, statedTransactionHash }) => ({
    logIndex,
    transactionHash: statedTransactionHash,
  }))
  return compareTexts(of, { published: text, proved: textOf(held) }, reason)
}
