import { launch } from '../service/launch.ts'

type Outcome = 'equal' | 'differs' | 'unchecked'

/** The JSON document of the command. */
export type Report = {
  readonly exitCode: number
  readonly pools: number
  readonly tiers: readonly ({ readonly tier: string } & Readonly<Record<Outcome, number>>)[]
  readonly faults: readonly string[]
  readonly checks: readonly {
    readonly tier: string
    readonly subject: string
    readonly field: string
    readonly outcome: Outcome
    readonly published: string | null
    readonly proved: string | null
    readonly reason: string | null
  }[]
}

/** Runs `stockpools verify` as a process; `report` is null without a JSON document. */
export const runVerify = async (directory: string, args: readonly string[]) => {
  const { code, stdout, stderr } = await launch(['verify', ...args], { directory }).ended
  const report = stdout.startsWith('{') ? (JSON.parse(stdout) as Report) : null
  return { code, report, output: stdout, error: stderr }
}
