import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { type Address, nativeAddress } from '../../domain/units.ts'
import {
  type CallResult,
  type ChainReader,
  isUnanswered,
  type RpcFault,
} from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { StepResult } from '../../util/loop.ts'
import type { IndexState } from '../state/index-state.ts'
import {
  type ListingFactory,
  listKeyQuestions,
  listPoolQuestions,
  mayHavePools,
  type PoolQuestion,
  poolOf,
} from './coverage-questions.ts'

/** A lost pool stays lost, and the calls are thousands on a long list. */
const auditWaitMs = 6 * 3_600_000
/** A pool that another part may be adding is missing only if it still is after this. */
const repeatWaitMs = 600_000
/** The first seconds belong to following up. */
const firstWaitMs = 30_000
/** Delay while there is no cursor. */
const emptyWaitMs = 10_000

/** Asks the v3 factories for pools that the index must hold (docs/methodology.md §7). */
export type CoverageAudit = {
  readonly step: () => Promise<StepResult>
  /** For the status; null unless a pool is missing. */
  readonly warning: () => string | null
  /** The pools that the index lacked twice, with their factories. */
  readonly missing: () => ReadonlyMap<Address, Address>
}

type Answered = {
  readonly questions: readonly PoolQuestion[]
  readonly answers: readonly CallResult[]
}

export const createCoverageAudit = (deps: {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly clock: Clock
  readonly index: IndexState
  readonly logger: Logger
  readonly factories: readonly ListingFactory[]
  readonly trusted: readonly Address[]
  /** All listed addresses that may be stocks. */
  readonly stocks: () => readonly Address[]
  /** Called with the stock of each missing pool. */
  readonly searchAgain: (stock: Address) => void
}): CoverageAudit => {
  const { chain, store, clock, index, logger, factories, stocks, searchAgain } = deps
  const trusted = deps.trusted.filter((address) => address !== nativeAddress)
  const keyQuestions = listKeyQuestions(factories)
  let suspected: ReadonlySet<Address> = new Set()
  let missing: ReadonlyMap<Address, Address> = new Map()
  let existing = 0
  let isDue = false

  const firstMissing = () => [...missing.keys()][0]

  const ask = async (
    asked: readonly Pick<PoolQuestion, 'call'>[],
    at: BlockRef,
  ): Promise<Outcome<readonly CallResult[], RpcFault>> =>
    asked.length === 0
      ? success([])
      : chain.callContracts(
          asked.map(({ call }) => call),
          at,
        )

  const askFactories = async (at: BlockRef): Promise<Outcome<Answered, RpcFault>> => {
    const enabled = await ask(keyQuestions, at)
    if (!enabled.ok) return enabled
    const keys = keyQuestions.filter((_, i) => mayHavePools(enabled.value[i]))
    const questions = listPoolQuestions(keys, stocks(), trusted)
    const answers = await ask(questions, at)
    return answers.ok ? success({ questions, answers: answers.value }) : answers
  }

  const compare = ({ questions, answers }: Answered): void => {
    const listed = new Map<Address, PoolQuestion>()
    for (const [i, question] of questions.entries()) {
      const id = poolOf(answers[i])
      if (id !== null) listed.set(id, question)
    }
    const absent = [...listed].filter(([id]) => index.pools().numberOf(id) === undefined)
    const before = missing
    const lost = absent.filter(([id]) => suspected.has(id))
    missing = new Map(lost.map(([id, { factory }]) => [id, factory]))
    suspected = new Set(absent.map(([id]) => id))
    existing = listed.size
    const message = 'Coverage audit found a pool that is not indexed, its stock is searched again'
    for (const [id, { stock }] of lost) {
      if (!before.has(id)) logger.warn(message, { pool: id, stock })
      searchAgain(stock)
    }
  }

  return {
    step: async () => {
      const at = index.cursor()
      if (at === null) return { waitMs: emptyWaitMs }
      if (!isDue) {
        isDue = true
        return { waitMs: firstWaitMs }
      }
      const answered = await askFactories(at)
      if (!answered.ok) {
        logger.warn('Failed to audit the coverage of pools, will retry', answered.fault)
        return { waitMs: repeatWaitMs }
      }
      const { questions, answers } = answered.value
      if (questions.length === 0) return { waitMs: factories.length > 0 ? repeatWaitMs : null }
      const before = missing.size
      compare(answered.value)
      const isComplete = suspected.size === missing.size && !answers.some(isUnanswered)
      if (isComplete) {
        const coverage = { checkedTs: clock.now(), checked: existing, missing: missing.size }
        await store.recordCoverage(coverage)
      }
      // A search that found nothing twice is repeated with the next audit.
      const isOpen = !isComplete || missing.size > before
      return { waitMs: isOpen ? repeatWaitMs : auditWaitMs }
    },
    warning: () =>
      missing.size === 0
        ? null
        : `${missing.size} of ${existing} pools of v3 factories are not indexed: ${firstMissing()}`,
    missing: () => missing,
  }
}
