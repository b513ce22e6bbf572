import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { NetworkFile } from '../../sandbox/network-file.ts'
import { type Api, createApi } from '../../test/service/api.ts'
import { kill, launch } from '../../test/service/launch.ts'

export type Usage = { readonly cpuSeconds: number; readonly rssMb: number }

/** The service on a local node, started as a user starts it. */
export type Service = {
  readonly api: Pick<Api, 'baseUrl' | 'ask' | 'read'>
  /** Performance time at which its process was started. */
  readonly startedMs: number
  readonly usage: () => Promise<Usage>
  /** Exit status and last output; null while it runs. */
  readonly exitOutput: () => string | null
  /** Kills the process. */
  readonly end: () => Promise<void>
}

const outputCharsMax = 1000

type ServiceOptions = {
  readonly directory: string
  readonly network: NetworkFile
  /** As the command line takes it. */
  readonly store: string
  /** The default is `start`: with an indexer. */
  readonly command?: 'start' | 'api'
}

const argsOf = ({ directory, network, store, command }: ServiceOptions): readonly string[] => {
  const file = join(directory, 'network.json')
  writeFileSync(file, JSON.stringify(network))
  const flags = ['--network', file, '--store', store, '--port', '0']
  return [command ?? 'start', ...flags, '--rate-limit', '0']
}

const triesMax = 5
const betweenTriesMs = 20

/** Retries because a kept-alive connection may close while it is being reused. */
const withRetries = (api: Api, hasEnded: () => boolean): Service['api'] => {
  const ask: Api['ask'] = async (path, init) => {
    for (let tries = 1; ; tries++) {
      try {
        return await api.ask(path, init)
      } catch (error) {
        if (tries === triesMax || hasEnded()) throw error
        await delay(betweenTriesMs)
      }
    }
  }
  return {
    baseUrl: api.baseUrl,
    ask,
    read: async <Body>(path: string): Promise<Body> => {
      const { status, text } = await ask(path)
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
      return JSON.parse(text) as Body
    },
  }
}

const metricOf = (text: string, name: string): number => {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined) throw new Error(`/metrics has no ${name}`)
  return Number(value)
}

export const startService = async (options: ServiceOptions): Promise<Service> => {
  const startedMs = performance.now()
  const running = launch(argsOf(options), { directory: options.directory })
  const stdout = running.child.stdout
  if (stdout === null) throw new Error('the service has no output')
  let printed = ''
  let host: string | undefined
  while (host === undefined) {
    const [text] = await Promise.race([
      once(stdout, 'data'),
      running.ended.then(({ stderr }) => {
        throw new Error(`the service ended: ${printed} ${stderr}`)
      }),
    ])
    printed += text
    host = /API listening on ([\w.:[\]]+),/.exec(printed)?.[1]
  }
  const api = createApi(`http://${host}`)
  let exitOutput: string | null = null
  void running.ended.then(({ code, signal, stdout, stderr }) => {
    exitOutput = `${code ?? signal}: ${(stdout + stderr).slice(-outputCharsMax)}`
  })
  return {
    api: withRetries(api, () => exitOutput !== null),
    startedMs,
    usage: async () => {
      const { text } = await api.ask('/metrics')
      return {
        cpuSeconds: metricOf(text, 'process_cpu_seconds_total'),
        rssMb: metricOf(text, 'process_resident_memory_bytes') / 1e6,
      }
    },
    exitOutput: () => exitOutput,
    end: () => kill(running),
  }
}
