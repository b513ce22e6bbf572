import { parseArgs } from 'node:util'

export type Settings = {
  readonly seed: number
  readonly blockTimeSeconds: number
  readonly pastHours: number
  readonly swapsPerSecond: number
  readonly traders: boolean
}

export type Options = {
  readonly dataDir: string
  /** 0 = any free port. */
  readonly anvilPort: number
  readonly httpPort: number
  readonly settings: Settings
}

export const defaultDataDir = './data/sandbox'

export const defaultSettings: Settings = {
  seed: 1,
  blockTimeSeconds: 0.25,
  pastHours: 24,
  swapsPerSecond: 4,
  traders: true,
}

/** Parses the flags of `sandbox/main.ts`. Throws one line that names the invalid flag. */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': text,
      seed: text,
      'block-time': text,
      'past-hours': text,
      'swaps-per-second': text,
      traders: text,
      'anvil-port': text,
      'http-port': text,
    },
  })
  const number = (flag: keyof typeof values, fallback: number, low: number, high: number): number =>
    numberIn(flag, values[flag], fallback, low, high)
  return {
    dataDir: values['data-dir'] ?? defaultDataDir,
    anvilPort: number('anvil-port', 0, 0, 65_535),
    httpPort: number('http-port', 0, 0, 65_535),
    settings: {
      seed: number('seed', defaultSettings.seed, 0, 2 ** 32 - 1),
      blockTimeSeconds: number('block-time', defaultSettings.blockTimeSeconds, 0.05, 60),
      pastHours: number('past-hours', defaultSettings.pastHours, 0.1, 72),
      swapsPerSecond: number('swaps-per-second', defaultSettings.swapsPerSecond, 0.1, 50),
      traders: onOrOff(values.traders),
    },
  }
}

/** Formats settings as flags of the process. */
export function settingsAsFlags(settings: Settings): string[] {
  return [
    `--seed=${settings.seed}`,
    `--block-time=${settings.blockTimeSeconds}`,
    `--past-hours=${settings.pastHours}`,
    `--swaps-per-second=${settings.swapsPerSecond}`,
    `--traders=${settings.traders ? 'on' : 'off'}`,
  ]
}

function numberIn(
  flag: string,
  text: string | undefined,
  fallback: number,
  low: number,
  high: number,
): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (text.trim() !== '' && value >= low && value <= high) return value
  throw new Error(`--${flag} must be a number from ${low} to ${high}, not "${text}"`)
}

function onOrOff(text: string | undefined): boolean {
  if (text === undefined) return defaultSettings.traders
  if (text === 'on' || text === 'off') return text === 'on'
  throw new Error(`--traders must be on or off, not "${text}"`)
}
