import type { Quote, QuoteTrail } from './quote.ts'
import { noTrail } from './quote.ts'

/** A quote further from the last accepted one of its source is unconfirmed (methodology §3). */
export const quoteJumpMax = 0.25
/** A jump that stands so long, over so many updates of its publisher, is accepted. */
export const jumpStandsSeconds = 300
export const jumpUpdatesMin = 3

export const isFar = (usd: number, base: number, max: number): boolean =>
  !(Math.abs(usd / base - 1) <= max)

/**
 * Whether a jump has stood long enough: from our clock at its first quote to the publisher's at
 * the present one, so that neither clock alone can shorten it.
 */
export const isStanding = ({ publishedTs, jumpTs, jumpUpdates }: Quote): boolean =>
  jumpTs !== null &&
  publishedTs - jumpTs >= jumpStandsSeconds &&
  (jumpUpdates ?? 0) >= jumpUpdatesMin

/**
 * The trail after a source's next quote. `usd` and `usdBefore` are dollars per token by the
 * multiplier of each quote's time, so that a split is no jump.
 */
export const followJump = (
  before: Quote | undefined,
  next: Pick<Quote, 'publishedTs' | 'fetchedTs'>,
  { usd, usdBefore }: { readonly usd: number; readonly usdBefore: number | null },
): QuoteTrail => {
  const trail = before ?? { ...noTrail, publishedTs: next.publishedTs }
  const acceptedUsd = trail.acceptedUsd ?? usdBefore
  const { publishedTs } = next
  if (acceptedUsd === null || !isFar(usd, acceptedUsd, quoteJumpMax)) {
    return { ...noTrail, acceptedUsd: usd, acceptedTs: publishedTs }
  }
  const acceptedTs = trail.acceptedTs ?? trail.publishedTs
  const { jumpUsd, jumpTs, jumpUpdates } = trail
  if (jumpUsd === null || jumpTs === null || isFar(usd, jumpUsd, quoteJumpMax)) {
    const start = { jumpUsd: usd, jumpTs: next.fetchedTs, jumpUpdates: 1 }
    return { acceptedUsd, acceptedTs, ...start, pools: null }
  }
  const isUpdate = publishedTs > trail.publishedTs
  const updates = (jumpUpdates ?? 0) + (isUpdate ? 1 : 0)
  return { acceptedUsd, acceptedTs, jumpUsd, jumpTs, jumpUpdates: updates, pools: null }
}
