import { failure, type Outcome, success } from '../domain/outcome.ts'
import { helpColumns, optionHelp } from './option-help.ts'
import { defaults, type LogLevel, type OptionName, options, type StoreTarget } from './options.ts'
import { parseOptions } from './parse-options.ts'
import { parseSecretUrl, type SecretUrl } from './secret-url.ts'
import { type Environment, quoteForMessage } from './user-input.ts'

/** Names of the tiers, as `src/verify` has them. */
const tierNames = ['state', 'proof', 'logs', 'numbers', 'history'] as const
type TierName = (typeof tierNames)[number]

export type VerifyRequest = {
  readonly target:
    | { readonly kind: 'pools'; readonly ids: readonly `0x${string}`[] }
    | { readonly kind: 'all' }
    | { readonly kind: 'sample'; readonly count: number }
  readonly published:
    | { readonly kind: 'service'; readonly url: SecretUrl }
    | { readonly kind: 'store'; readonly store: Exclude<StoreTarget, { kind: 'memory' }> }
  readonly rpc: SecretUrl
  /** Null: the network that the service names, if it is built in. */
  readonly network: string | null
  readonly block: number | null
  readonly tiers: readonly TierName[]
  readonly requestsPerSecond: number
  readonly isJson: boolean
  readonly logLevel: LogLevel
}

export const verifySummary = 'prove or refute what a service publishes, by a node of your own'

const optionsOfService: readonly OptionName[] = ['rpc', 'store', 'network', 'logLevel']

type Flag = { readonly placeholder: string | null; readonly help: string }

/** Flags of this command alone; a placeholder stands for a value. */
const ownFlags: Readonly<Record<string, Flag>> = {
  '--all': { placeholder: null, help: 'every pool of the service' },
  '--sample': { placeholder: '<pools>', help: 'so many pools, chosen at random' },
  '--api': { placeholder: '<url>', help: 'the service; or --store for a store' },
  '--block': { placeholder: '<block>', help: 'records as they were after this block' },
  '--tiers': {
    placeholder: '<tier,...>',
    help: `of ${tierNames.slice(0, -1).join(', ')}; default: all`,
  },
  '--deep': { placeholder: null, help: 'fold the logs since the creation of each pool as well' },
  '--requests': { placeholder: '<number>', help: 'requests a second at most; default: 20' },
  '--json': { placeholder: null, help: 'print one JSON document' },
}

type SplitArguments = {
  readonly pools: readonly string[]
  readonly own: ReadonlyMap<string, string>
  /** For `parseOptions`. */
  readonly others: readonly string[]
}

/** Separates pools, flags of this command, and the flags that other commands have as well. */
const splitArguments = (args: readonly string[]): Outcome<SplitArguments, string> => {
  const pools: string[] = []
  const own = new Map<string, string>()
  const others: string[] = []
  const left = [...args]
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [name = '', ...rest] = argument.split('=')
    const attached = rest.length > 0 ? rest.join('=') : undefined
    const flag = Object.hasOwn(ownFlags, name) ? ownFlags[name] : undefined
    if (!argument.startsWith('-')) {
      pools.push(argument)
    } else if (flag === undefined) {
      const value = attached === undefined && left[0]?.startsWith('-') === false
      others.push(argument, ...(value ? left.splice(0, 1) : []))
    } else {
      if (own.has(name)) return failure(`${name}: given twice`)
      const isSwitch = flag.placeholder === null
      if (isSwitch && attached !== undefined) return failure(`${name}: expected no value`)
      const text = isSwitch ? 'yes' : (attached ?? left.shift() ?? '')
      if (text === '' || (attached === undefined && text.startsWith('--'))) {
        return failure(`${name}: expected a value`)
      }
      own.set(name, text)
    }
  }
  return success({ pools, own, others })
}

const readCount = (
  own: ReadonlyMap<string, string>,
  flag: string,
  [min, max]: readonly [number, number],
): Outcome<number | null, string> => {
  const text = own.get(flag)
  if (text === undefined) return success(null)
  const value = /^(?:0|[1-9]\d{0,12})$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max
    ? success(value)
    : failure(`${flag}: expected an integer from ${min} to ${max}, got ${quoteForMessage(text)}`)
}

const poolPattern = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/

const readTarget = ({ pools, own }: SplitArguments): Outcome<VerifyRequest['target'], string> => {
  const sample = readCount(own, '--sample', [1, 1_000_000])
  if (!sample.ok) return sample
  const ways = [pools.length > 0, own.has('--all'), sample.value !== null].filter(Boolean).length
  if (ways !== 1) return failure('verify: expected pools, --all or --sample, one of the three')
  if (sample.value !== null) return success({ kind: 'sample', count: sample.value })
  if (own.has('--all')) return success({ kind: 'all' })
  const ids = pools.map((pool) => pool.toLowerCase())
  const wrong = ids.find((id) => !poolPattern.test(id))
  if (wrong !== undefined) {
    return failure(
      `verify: expected addresses of v3 pools or ids of v4 pools, got ${quoteForMessage(wrong)}`,
    )
  }
  return success({ kind: 'pools', ids: [...new Set(ids)] as `0x${string}`[] })
}

const readTiers = (own: ReadonlyMap<string, string>): Outcome<readonly TierName[], string> => {
  const deep: readonly TierName[] = own.has('--deep') ? ['history'] : []
  const shallow = tierNames.filter((name) => name !== 'history')
  const text = own.get('--tiers')
  if (text === undefined) return success([...shallow, ...deep])
  const asked = text.split(',')
  const wrong = asked.find((name) => !shallow.some((known) => known === name))
  return wrong === undefined
    ? success([...shallow.filter((name) => asked.includes(name)), ...deep])
    : failure(`--tiers: expected ${shallow.join(', ')}, got ${quoteForMessage(wrong)}`)
}

const readPublished = (
  api: string | undefined,
  store: StoreTarget | undefined,
): Outcome<VerifyRequest['published'], string> => {
  if ((api === undefined) === (store === undefined)) {
    return failure('verify: expected --api or --store, one of the two')
  }
  if (api !== undefined) {
    const url = parseSecretUrl(api)
    return url.ok ? success({ kind: 'service', url: url.value }) : failure(`--api: ${url.fault}`)
  }
  return store === undefined || store.kind === 'memory'
    ? failure('--store: expected a store on disk, an in-memory store cannot be shared')
    : success({ kind: 'store', store })
}

/** Parses the arguments of `verify`. The fault is one line without secrets. */
export const parseVerify = (
  args: readonly string[],
  environment: Environment,
): Outcome<VerifyRequest, string> => {
  const split = splitArguments(args)
  if (!split.ok) return split
  const { own, others } = split.value
  // A service that is named is asked, wherever the store of this environment is.
  const { [options.store.environment]: _, ...withoutStore } = environment
  const read = parseOptions(others, own.has('--api') ? withoutStore : environment, optionsOfService)
  if (!read.ok) return read
  const target = readTarget(split.value)
  if (!target.ok) return target
  const published = readPublished(own.get('--api'), read.value.store?.value)
  if (!published.ok) return published
  const tiers = readTiers(own)
  if (!tiers.ok) return tiers
  const block = readCount(own, '--block', [0, Number.MAX_SAFE_INTEGER])
  if (!block.ok) return block
  const requests = readCount(own, '--requests', [1, 10_000])
  if (!requests.ok) return requests
  const [rpc] = read.value.rpc?.value ?? []
  if (rpc === undefined) return failure('verify: expected --rpc, a node of your own')
  return success({
    target: target.value,
    published: published.value,
    rpc,
    network: read.value.network?.value ?? null,
    block: block.value,
    tiers: tiers.value,
    requestsPerSecond: requests.value ?? 20,
    isJson: own.has('--json'),
    logLevel: read.value.logLevel?.value ?? defaults.logLevel,
  })
}

export const verifyHelp = (): string => `stockpools verify: ${verifySummary}

Usage: stockpools verify <pool>... --rpc <url> --api <url> [flags]
       stockpools verify --all | --sample <pools> --rpc <url> --api <url> [flags]

  <pool>  address of a v3 pool, or id of a v4 pool

Exit code: 0 if everything that could be checked holds, 1 if anything differs,
2 if it could not run.

Flags:
${helpColumns(
  Object.entries(ownFlags).map(([name, { placeholder, help }]) => [
    placeholder === null ? name : `${name} ${placeholder}`,
    help,
  ]),
)}

Flags (each with its environment variable; a flag overrides the variable):
${optionHelp(optionsOfService, ['rpc'])}
`
