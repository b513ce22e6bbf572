import type { Outcome } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain.ts'
import type { Logger } from '../../ports/process.ts'

type Asking<T> = () => Promise<Outcome<T, RpcFault>>

/** Ranges that two endpoints answer are so small that one is asked alone. */
export type OnAlone = (fault: RpcFault) => void

/** Says once how the past is told. */
export const createAloneNote = (logger: Logger): OnAlone => {
  let isTold = false
  return ({ detail }) => {
    if (isTold) return
    isTold = true
    const reason = 'the ranges that another one answers are too small for so long a chain'
    logger.warn('The past is told by one endpoint alone', { reason, detail })
  }
}

/**
 * Nothing holds the past against the chain again, so two endpoints are to tell it where there are
 * two, in ranges that both answer. But if those had less than `blocksMin` blocks and one endpoint
 * alone answers more, its word has to do: the past would take hours, or days.
 */
export const createTwoOrOne = (given: {
  readonly blocksMin: () => number
  readonly onAlone: OnAlone
}) => {
  const { blocksMin, onAlone } = given
  let isAlone = false
  return async <T>(asking: {
    readonly two: Asking<T>
    readonly one: Asking<T>
    /** How many blocks would be asked for next. */
    readonly blocksNext: (suggested: BlockNumber | null) => number
  }): Promise<Outcome<T, RpcFault>> => {
    if (isAlone) return asking.one()
    const told = await asking.two()
    if (told.ok || told.fault.kind !== 'range-too-large') return told
    if (asking.blocksNext(told.fault.suggestedBlocks) >= blocksMin()) return told
    const alone = await asking.one()
    if (alone.ok) {
      isAlone = true
      onAlone(told.fault)
    }
    return alone
  }
}

export type TwoOrOne = ReturnType<typeof createTwoOrOne>
