import {
  type ExportDataset,
  type ExportFormat,
  exportDatasets,
  exportFormats,
} from '../domain/history/exported-file.ts'
import { parseIsoDate } from '../domain/iso-time.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'
import { helpColumns, optionHelp } from './option-help.ts'
import { defaults, type LogLevel, type OptionName, options, type StoreTarget } from './options.ts'
import { parseOptions, readFlags } from './parse-options.ts'
import { type Environment, quoteForMessage } from './user-input.ts'

export type ExportRequest = {
  readonly dataset: ExportDataset
  readonly format: ExportFormat
  /** First seconds of UTC days, both included; null: not limited. */
  readonly fromTs: UnixSeconds | null
  readonly toTs: UnixSeconds | null
  readonly symbol: string | null
  /** Lowercase. */
  readonly pool: string | null
  readonly directory: string
  readonly check: 'size' | 'content'
  readonly store: Exclude<StoreTarget, { kind: 'memory' }>
  readonly logLevel: LogLevel
}

export const exportSummary = 'write files of swaps, candles and more, one for each day'

const sharedOptions: readonly OptionName[] = ['store', 'logLevel']

type Flag<Value> = {
  readonly placeholder: string
  readonly help: string
  readonly parse: (text: string) => Outcome<Value, string>
}

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Outcome<Value, string> => {
    const value = values.find((known) => known === text)
    return value === undefined ? failure(`expected one of ${values.join(', ')}`) : success(value)
  }

const parseDay = (text: string): Outcome<UnixSeconds, string> => {
  const day = parseIsoDate(text)
  return day === null ? failure('expected a day such as 2026-11-21') : success(day * secondsPerDay)
}

const parsePool = (text: string): Outcome<string, string> =>
  /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)
    ? success(text.toLowerCase())
    : failure('expected the id of a pool (0x and 40 or 64 hexadecimal digits)')

const flags = {
  dataset: {
    placeholder: '<name>',
    help: `${exportDatasets.join(', ')} (required)`,
    parse: oneOf(exportDatasets),
  },
  format: {
    placeholder: '<name>',
    help: `${exportFormats.join(', ')} (required)`,
    parse: oneOf(exportFormats),
  },
  out: {
    placeholder: '<directory>',
    help: 'where the files go; what it has already is kept (required)',
    parse: success<string>,
  },
  from: { placeholder: '<day>', help: 'first UTC day, as 2026-11-21', parse: parseDay },
  to: { placeholder: '<day>', help: 'last UTC day', parse: parseDay },
  symbol: { placeholder: '<ticker>', help: 'rows of this stock only', parse: success<string> },
  pool: { placeholder: '<id>', help: 'rows of this pool only', parse: parsePool },
  check: {
    placeholder: 'size|content',
    help: 'how finished files are checked (default: size)',
    parse: oneOf(['size', 'content'] as const),
  },
} as const satisfies Readonly<Record<string, Flag<unknown>>>

type FlagName = keyof typeof flags
const flagNames = Object.keys(flags) as readonly FlagName[]
type Values = {
  readonly [Name in FlagName]:
    | Extract<ReturnType<(typeof flags)[Name]['parse']>, { ok: true }>['value']
    | null
}

const parseValues = (texts: ReadonlyMap<string, string>): Outcome<Values, string> => {
  const values: Record<string, unknown> = {}
  for (const name of flagNames) {
    const text = texts.get(`--${name}`)
    values[name] = null
    if (text === undefined) continue
    const parsed: Outcome<unknown, string> = flags[name].parse(text)
    if (!parsed.ok) return failure(`--${name}: ${parsed.fault}, got ${quoteForMessage(text)}`)
    values[name] = parsed.value
  }
  return success(values as Values)
}

/** What the flags say together. */
const findContradiction = ({ dataset, from, to, symbol, pool }: Values): string | null => {
  if (from !== null && to !== null && from > to) return '--from: expected a day not after --to'
  const isSnapshot = dataset === 'pools' || dataset === 'stocks'
  if (isSnapshot && (from !== null || to !== null)) {
    return `--${from === null ? 'to' : 'from'}: ${dataset} are exported as they are now`
  }
  if (pool !== null && (dataset === 'stocks' || dataset === 'references')) {
    return `--pool: ${dataset} are of no pool`
  }
  return pool !== null && symbol !== null ? '--pool: expected without --symbol' : null
}

const readShared = (texts: ReadonlyMap<string, string>, environment: Environment) => {
  const args = sharedOptions.flatMap((name) => {
    const { flag } = options[name]
    const text = texts.get(flag)
    return text === undefined ? [] : [flag, text]
  })
  return parseOptions(args, environment, sharedOptions)
}

/** Parses the arguments of `export`. The fault is one line without secrets. */
export const parseExport = (
  args: readonly string[],
  environment: Environment,
): Outcome<ExportRequest, string> => {
  const names = [
    ...flagNames.map((name) => `--${name}`),
    ...sharedOptions.map((name) => options[name].flag),
  ]
  const texts = readFlags(args, names)
  if (!texts.ok) return texts
  const read = readShared(texts.value, environment)
  if (!read.ok) return read
  const parsed = parseValues(texts.value)
  if (!parsed.ok) return parsed
  const { dataset, format, out, from, to, symbol, pool, check } = parsed.value
  if (dataset === null) return failure(`export: expected --dataset`)
  if (format === null) return failure(`export: expected --format`)
  if (out === null) return failure(`export: expected --out`)
  const contradiction = findContradiction(parsed.value)
  if (contradiction !== null) return failure(contradiction)
  const { store, logLevel } = read.value
  if (store === undefined) {
    return failure(`export: expected ${options.store.flag} or ${options.store.environment}`)
  }
  if (store.value.kind === 'memory') {
    return failure(`${store.origin}: expected a store on disk, an in-memory store cannot be shared`)
  }
  return success({
    ...{ dataset, format, symbol, pool, fromTs: from, toTs: to, directory: out },
    check: check ?? 'size',
    store: store.value,
    logLevel: logLevel?.value ?? defaults.logLevel,
  })
}

export const exportHelp = (): string => `stockpools export: ${exportSummary}

Usage: stockpools export --store <store> --dataset <name> --format <name> --out <directory>

A day is written once its last block is finalized; the indexer may keep running. The next export
into the same directory continues with the days that are missing. docs/export.md has the columns.

Flags:
${helpColumns(flagNames.map((name) => [`--${name} ${flags[name].placeholder}`, flags[name].help]))}

Flags with an environment variable, which the flag overrides:
${optionHelp(sharedOptions, ['store'])}
`
