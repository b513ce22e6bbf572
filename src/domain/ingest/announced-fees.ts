import type { PoolEvent } from '../pool/pool-event.ts'

/**
 * Takes the events of logs in chain order and gives each swap the fees that the log right before it
 * announced; null for that log itself.
 */
export const createFeeAnnouncements = (): ((event: PoolEvent) => PoolEvent | null) => {
  let last: Extract<PoolEvent, { kind: 'swap-fees-announced' }> | null = null
  return (event) => {
    const before = last
    last = event.kind === 'swap-fees-announced' ? event : null
    if (event.kind === 'swap-fees-announced') return null
    if (event.kind !== 'swapped' || before === null) return event
    const { block, logIndex } = before.at
    const isNext = event.at.block === block && event.at.logIndex === logIndex + 1
    if (!isNext || event.poolId !== before.poolId) return event
    const { overrideFee, pluginFee } = before
    return { ...event, announced: { overrideFee, pluginFee } }
  }
}
