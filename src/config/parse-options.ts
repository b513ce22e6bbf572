import { failure, type Outcome, success } from '../domain/outcome.ts'
import { type OptionName, type OptionValues, optionNames, options } from './options.ts'
import { type Environment, quoteForMessage } from './user-input.ts'

/** A value and where it was set: `--port` or `PORT`. */
export type OptionValue<Value> = { readonly value: Value; readonly origin: string }
export type ParsedOptions = { readonly [Name in OptionName]?: OptionValue<OptionValues[Name]> }

type GivenText = { readonly text: string; readonly origin: string }

const splitFlag = (argument: string): readonly [flag: string, value: string | undefined] => {
  const at = argument.indexOf('=')
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)]
}

/** The value of each flag. Accepts `--flag value` and `--flag=value`. */
export const readFlags = (
  args: readonly string[],
  flags: readonly string[],
): Outcome<ReadonlyMap<string, string>, string> => {
  const texts = new Map<string, string>()
  const known = new Set(flags)
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [flag, attached] = splitFlag(argument)
    if (!flag.startsWith('-')) return failure(`unexpected argument ${quoteForMessage(flag)}`)
    if (!known.has(flag)) return failure(`unknown flag ${quoteForMessage(flag)}`)
    if (texts.has(flag)) return failure(`${flag}: given twice`)
    const text = attached ?? (left[0]?.startsWith('--') ? undefined : left.shift())
    if (text === undefined || text === '') return failure(`${flag}: expected a value`)
    texts.set(flag, text)
  }
  return success(texts)
}

const readText = (
  name: OptionName,
  flags: ReadonlyMap<string, string>,
  environment: Environment,
): GivenText | null => {
  const option = options[name]
  const flagged = flags.get(option.flag)
  if (flagged !== undefined) return { text: flagged, origin: option.flag }
  const variable = environment[option.environment]
  if (variable === undefined || variable === '') return null
  return { text: variable, origin: option.environment }
}

const parseGiven = <Name extends OptionName>(
  name: Name,
  { text, origin }: GivenText,
): Outcome<OptionValue<OptionValues[Name]>, string> => {
  const parsed: Outcome<OptionValues[Name], string> = options[name].parse(text)
  if (parsed.ok) return success({ value: parsed.value, origin })
  const got = options[name].secret === true ? '' : `, got ${quoteForMessage(text)}`
  return failure(`${origin}: ${parsed.fault}${got}`)
}

/**
 * Reads the options of a command; flags override environment variables. An empty variable counts as
 * not set.
 */
export const parseOptions = (
  args: readonly string[],
  environment: Environment,
  names: readonly OptionName[] = optionNames,
): Outcome<ParsedOptions, string> => {
  const flags = readFlags(
    args,
    names.map((name) => options[name].flag),
  )
  if (!flags.ok) return flags
  const given: { -readonly [Name in OptionName]?: OptionValue<OptionValues[Name]> } = {}
  const readOption = <Name extends OptionName>(name: Name): string | null => {
    const text = readText(name, flags.value, environment)
    if (text === null) return null
    const parsed = parseGiven(name, text)
    if (!parsed.ok) return parsed.fault
    Object.assign(given, { [name]: parsed.value })
    return null
  }
  for (const name of names) {
    const fault = readOption(name)
    if (fault !== null) return failure(fault)
  }
  return success(given)
}
