/** The tiers of `stockpools verify`, in the order in which they run. */
export const tiers = ['state', 'proof', 'logs', 'numbers', 'history'] as const

export type Tier = (typeof tiers)[number]

/** What a check is about. */
export type CheckSubject = {
  readonly tier: Tier
  /** A pool id, token address or block hash. */
  readonly subject: string
  /** The field as the API names it (`tick`, `liquidity`), or what was checked ("header hash"). */
  readonly field: string
}

/**
 * Result of one check. Values are texts as they were compared: the published digits, or the RPC's
 * hexadecimal. `published` or `proved` is null where that side has no value.
 */
export type Check = CheckSubject &
  (
    | {
        readonly outcome: 'equal'
        readonly published: string | null
        readonly proved: string | null
        readonly reason: null
      }
    | {
        readonly outcome: 'differs' | 'unchecked'
        readonly published: string | null
        readonly proved: string | null
        /** One sentence without a full stop, in lower case. */
        readonly reason: string
      }
  )

type Compared = { readonly published: string | null; readonly proved: string | null }

/** Compares the two texts exactly. */
export const compareTexts = (
  of: CheckSubject,
  { published, proved }: Compared,
  reasonIfDiffers: string,
): Check =>
  published === proved
    ? { ...of, outcome: 'equal', published, proved, reason: null }
    : { ...of, outcome: 'differs', published, proved, reason: reasonIfDiffers }

export const unchecked = (
  of: CheckSubject,
  reason: string,
  published: string | null = null,
): Check => ({ ...of, outcome: 'unchecked', published, proved: null, reason })

/**
 * A check whose evidence is missing or wrong. Evidence that contradicts its own hash shows that the
 * node states what is not so; any other fault only leaves the value unchecked.
 */
export const withoutEvidence = (
  of: CheckSubject,
  fault: { readonly kind: string; readonly reason: string },
  published: string | null = null,
): Check => ({
  ...of,
  outcome: fault.kind === 'mismatch' ? 'differs' : 'unchecked',
  published,
  proved: null,
  reason: fault.reason,
})

/**
 * Exit code of a run: 1 if anything differs; 0 if everything that could be checked is equal; 2 if
 * nothing could be checked.
 */
export const exitCodeOf = (checks: readonly Check[]): 0 | 1 | 2 => {
  if (checks.some(({ outcome }) => outcome === 'differs')) return 1
  return checks.some(({ outcome }) => outcome === 'equal') ? 0 : 2
}
