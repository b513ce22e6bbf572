import { parseWords, uint256At } from '../../domain/dex/abi-words.ts'
import { type Address, type Hex, nativeAddress } from '../../domain/units.ts'
import type { CallResult, ChainReader, ContractCall } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StepResult } from '../../util/loop.ts'
import type { IndexState } from '../state/index-state.ts'

/** A lost pool stays lost, and the calls are thousands on a long list. */
const auditWaitMs = 6 * 3_600_000
/** A pool that another part may be adding is missing only if it still is after this. */
const repeatWaitMs = 600_000
/** Delay while there is no cursor. */
const emptyWaitMs = 10_000
/** getPool(address,address,uint24): UniswapV3Factory.sol */
const getPoolSelector = '1698ee82'
/** Enabled by Uniswap's factory and its common forks. A fee that is not enabled has no pool. */
const fees: readonly number[] = [100, 500, 2500, 3000, 10_000]

/** Asks the v3 factories for pools that the index must hold (docs/methodology.md §7). */
export type CoverageAudit = {
  readonly step: () => Promise<StepResult>
  /** For the status; null unless a pool is missing. */
  readonly warning: () => string | null
}

const wordOf = (digits: string): string => digits.padStart(64, '0')

type PoolQuestion = ContractCall & { readonly stock: Address }

const questionOf = (
  factory: Address,
  { stock, token, fee }: { readonly stock: Address; readonly token: Address; readonly fee: number },
): PoolQuestion => {
  const words = [stock.slice(2), token.slice(2), fee.toString(16)].map(wordOf)
  return { to: factory, data: `0x${getPoolSelector}${words.join('')}`, stock }
}

/** The address in an answer; null for the zero address and for anything else. */
const poolOf = (answer: CallResult | undefined): Address | null => {
  const words = answer?.ok ? parseWords(answer.data, 1) : null
  const value = words && uint256At(words, 0)
  if (value === null || value === 0n || value >= 1n << 160n) return null
  const id: Hex = `0x${value.toString(16).padStart(40, '0')}`
  return id
}

export const createCoverageAudit = (deps: {
  readonly chain: ChainReader
  readonly index: IndexState
  readonly logger: Logger
  readonly factories: readonly Address[]
  readonly trusted: readonly Address[]
  /** All listed addresses that may be stocks. */
  readonly stocks: () => readonly Address[]
  /** Called with the stock of each missing pool. */
  readonly searchAgain: (stock: Address) => void
}): CoverageAudit => {
  const { chain, index, logger, factories, stocks, searchAgain } = deps
  const trusted = deps.trusted.filter((address) => address !== nativeAddress)
  let suspected: ReadonlySet<Address> = new Set()
  let missing: readonly Address[] = []
  let existing = 0
  let isDue = false

  const listQuestions = (): readonly PoolQuestion[] =>
    factories.flatMap((factory) =>
      stocks().flatMap((stock) =>
        trusted.flatMap((token) => fees.map((fee) => questionOf(factory, { stock, token, fee }))),
      ),
    )

  const record = (questions: readonly PoolQuestion[], answers: readonly CallResult[]): void => {
    const stockOf = new Map<Address, Address>()
    for (const [i, { stock }] of questions.entries()) {
      const id = poolOf(answers[i])
      if (id !== null) stockOf.set(id, stock)
    }
    const absent = [...stockOf.keys()].filter((id) => index.pools().numberOf(id) === undefined)
    const before = new Set(missing)
    missing = absent.filter((id) => suspected.has(id))
    suspected = new Set(absent)
    existing = stockOf.size
    const message = 'Coverage audit found a pool that is not indexed, its stock is searched again'
    for (const id of missing) {
      const stock = stockOf.get(id)
      if (!before.has(id)) logger.warn(message, { pool: id, stock })
      if (stock !== undefined) searchAgain(stock)
    }
  }

  return {
    step: async () => {
      const at = index.cursor()
      if (at === null) return { waitMs: emptyWaitMs }
      // The first minutes belong to following up.
      if (!isDue) {
        isDue = true
        return { waitMs: repeatWaitMs }
      }
      const questions = listQuestions()
      if (questions.length === 0) return { waitMs: auditWaitMs }
      const calls = questions.map(({ to, data }) => ({ to, data }))
      const answers = await chain.callContracts(calls, at)
      if (!answers.ok) {
        logger.warn('Failed to audit the coverage of pools, will retry', answers.fault)
        return { waitMs: repeatWaitMs }
      }
      const before = missing.length
      record(questions, answers.value)
      // A search that found nothing twice is repeated with the next audit.
      const isOpen = suspected.size > missing.length || missing.length > before
      return { waitMs: isOpen ? repeatWaitMs : auditWaitMs }
    },
    warning: () =>
      missing.length === 0
        ? null
        : `${missing.length} of ${existing} pools of v3 factories are not indexed: ${missing[0]}`,
  }
}
