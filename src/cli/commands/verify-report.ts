import { plainText } from '../../log/pretty-line.ts'
import type { VerifyResult } from '../../verify/run/verify-service.ts'
import { type Check, exitCodeOf, type Tier, tiers } from '../../verify/tier.ts'

const outcomes = ['equal', 'differs', 'unchecked'] as const
type Counts = Record<(typeof outcomes)[number], number>

export type VerifyReport = VerifyResult & {
  /** Only checks that are not equal are listed, where there are many pools. */
  readonly isBrief: boolean
  readonly asked: readonly Tier[]
}

/** 1 if anything differs; 2 if a pool could not be read or nothing could be checked; else 0. */
export const reportExitCode = ({ checks, faults }: VerifyReport): 0 | 1 | 2 => {
  const code = exitCodeOf(checks)
  return code === 0 && faults.length > 0 ? 2 : code
}

const countsOf = (checks: readonly Check[], tier: Tier): Counts => {
  const own = checks.filter((check) => check.tier === tier)
  const count = (outcome: Check['outcome']) =>
    own.filter((check) => check.outcome === outcome).length
  return { equal: count('equal'), differs: count('differs'), unchecked: count('unchecked') }
}

const tiersOf = ({ checks, asked }: VerifyReport): readonly (Counts & { readonly tier: Tier })[] =>
  tiers.filter((tier) => asked.includes(tier)).map((tier) => ({ tier, ...countsOf(checks, tier) }))

const listed = ({ checks, isBrief }: VerifyReport): readonly Check[] =>
  isBrief ? checks.filter(({ outcome }) => outcome !== 'equal') : checks

const marks = { equal: '✓', differs: '✗', unchecked: '–' } as const

/** Longer values differ somewhere: JSON has them whole. */
const valueCharsMax = 160

const shown = (value: string | null): string => {
  const text = plainText(value ?? 'null')
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text
}

const checkLines = (check: Check): readonly string[] => {
  const { tier, field, outcome, published, proved, reason } = check
  const head = `  ${marks[outcome]} ${tier.padEnd(8)} ${plainText(field)}`
  if (outcome === 'equal') return [`${head}  ${shown(proved)}`]
  const why = `      ${plainText(reason)}`
  if (outcome === 'unchecked') return [head, why]
  return [head, `      published  ${shown(published)}`, `      proved     ${shown(proved)}`, why]
}

/** The same reason for many checks of a tier is said once. */
const uncheckedLines = (checks: readonly Check[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { tier, outcome, reason } of checks) {
    if (outcome !== 'unchecked') continue
    const text = `${tier.padEnd(8)} ${plainText(reason)}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => `  – ${text} (${count})`)
}

const tierMark = ({ equal, differs }: Counts): string => {
  if (differs > 0) return marks.differs
  return equal > 0 ? marks.equal : marks.unchecked
}

const tierLine = (counts: Counts & { readonly tier: Tier }): string => {
  const { tier, equal, differs, unchecked } = counts
  const parts = [`${equal} equal`, `${differs} differ`, `${unchecked} unchecked`]
  return `${tierMark(counts)} ${tier.padEnd(8)} ${parts.join(', ')}`
}

const verdicts = {
  0: 'Everything that could be checked holds.',
  1: 'What is marked ✗ differs.',
  2: 'Not everything could be checked.',
} as const

/** A table for a terminal, in plain text. */
export const formatTable = (report: VerifyReport): string => {
  const { checks, pools, faults, isBrief } = report
  const subjects = Map.groupBy(
    listed(report).filter(({ outcome }) => !isBrief || outcome === 'differs'),
    ({ subject }) => subject,
  )
  const details = [...subjects].flatMap(([subject, own]) => [
    plainText(subject),
    ...own.flatMap(checkLines),
  ])
  const lines = [
    ...details,
    ...(isBrief ? uncheckedLines(checks) : []),
    ...faults.map((fault) => `  – ${plainText(fault)}`),
    `${pools} ${pools === 1 ? 'pool' : 'pools'}`,
    ...tiersOf(report).map(tierLine),
    verdicts[reportExitCode(report)],
  ]
  return `${lines.join('\n')}\n`
}

/** One JSON document. */
export const formatJson = (report: VerifyReport): string => {
  const { pools, faults } = report
  const exitCode = reportExitCode(report)
  const document = { exitCode, pools, tiers: tiersOf(report), faults, checks: listed(report) }
  return `${JSON.stringify(document, null, 2)}\n`
}
