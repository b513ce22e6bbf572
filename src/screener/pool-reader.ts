import { type Outcome, success } from '../domain/outcome.ts'
import type { PoolId } from '../domain/units.ts'
import type { ScreenerRow, SourceFault } from '../ports/sources.ts'

/** Both services take 30 ids a request, and say so by silently leaving out the others. */
const idsPerRequestMax = 30

const poolIdPattern = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** A pool id of any case, as third parties write it; null for anything else. */
export const poolIdOf = (value: unknown): PoolId | null => {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return poolIdPattern.test(text) ? (text as PoolId) : null
}

type Rows = Outcome<readonly ScreenerRow[], SourceFault>

/** Asks for all pools in as few requests as possible, one after the other: all or a fault. */
export const readInRequests = async (
  pools: readonly PoolId[],
  request: (pools: readonly PoolId[]) => Promise<Rows>,
): Promise<Rows> => {
  const rows: ScreenerRow[] = []
  for (let start = 0; start < pools.length; start += idsPerRequestMax) {
    const part = pools.slice(start, start + idsPerRequestMax)
    const read = await request(part)
    if (!read.ok) return read
    // Nothing is taken from a third party that was not asked for.
    rows.push(...read.value.filter(({ poolId }) => part.includes(poolId)))
  }
  return success(rows)
}
