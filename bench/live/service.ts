import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Api, createApi } from '../../test/service/api.ts'
import { kill, launch } from '../../test/service/launch.ts'
import { createNetworkFile } from './network-file.ts'

export type Usage = { readonly cpuSeconds: number; readonly rssMb: number }

/** The service as a user starts it, on a synthetic node. */
export type Service = {
  readonly api: Pick<Api, 'baseUrl' | 'ask' | 'read'>
  /** Performance time at which its process was asked for. */
  readonly startedMs: number
  readonly usage: () => Promise<Usage>
  /** How it ended and what it said last; null while it runs. */
  readonly lastWords: () => string | null
  /** Ends it at once: nothing of it is wanted any more. */
  readonly end: () => Promise<void>
}

const wordsKept = 1000

type Order = { readonly directory: string; readonly rpcUrl: string; readonly storePath: string }

const argsOf = ({ directory, rpcUrl, storePath }: Order): readonly string[] => {
  const file = join(directory, 'network.json')
  writeFileSync(file, JSON.stringify(createNetworkFile(rpcUrl)))
  const place = ['--network', file, '--store', `sqlite:${storePath}`, '--port', '0']
  return ['start', ...place, '--rate-limit', '0']
}

const triesMax = 5
const betweenTriesMs = 20

/** A kept connection may be closed in the moment in which it is used again: not an answer. */
const patient = (api: Api, hasEnded: () => boolean): Service['api'] => {
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
  if (value === undefined) throw new Error(`/metrics does not tell ${name}`)
  return Number(value)
}

export const startService = async (order: Order): Promise<Service> => {
  const startedMs = performance.now()
  const running = launch(argsOf(order), { directory: order.directory })
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
    host = /Serving at ([\w.:[\]]+),/.exec(printed)?.[1]
  }
  const api = createApi(`http://${host}`)
  let lastWords: string | null = null
  void running.ended.then(({ code, signal, stdout, stderr }) => {
    lastWords = `${code ?? signal}: ${(stdout + stderr).slice(-wordsKept)}`
  })
  return {
    api: patient(api, () => lastWords !== null),
    startedMs,
    usage: async () => {
      const { text } = await api.ask('/metrics')
      return {
        cpuSeconds: metricOf(text, 'process_cpu_seconds_total'),
        rssMb: metricOf(text, 'process_resident_memory_bytes') / 1e6,
      }
    },
    lastWords: () => lastWords,
    end: () => kill(running),
  }
}
