import { Agent, get } from 'node:http'

/*
 * Many clients at once, who ask whether they are answered or not, and notice when a process reports
 * an earlier block than before.
 */

export type Load = {
  /** What was answered otherwise than with 200, or not at all. */
  readonly failures: () => readonly string[]
  /** Details that a process without its store said it cannot serve now. */
  readonly refusedDetails: () => number
  readonly answered: () => number
  /** Where a later question got an earlier block. */
  readonly stepsBack: () => readonly string[]
  readonly stop: () => Promise<void>
}

const tickMs = 20
/** Of one process; further requests would only wait. */
const openMax = 64
/** Only who is never answered was left waiting: how fast is asked elsewhere. */
const answerMsMax = 240_000

const listPaths = [
  '/api/v1/pools?limit=5',
  '/api/v1/pools?limit=5&sort=vol24h',
  '/api/v1/stocks?limit=5',
  '/api/v1/status',
  '/api/v1/pools?limit=3&kind=meme',
  '/api/v1/health',
]

type Body = {
  readonly items?: readonly { readonly asOfBlock?: number | null }[]
  readonly chain?: { readonly indexedBlock: number | null }
  readonly pool?: { readonly asOfBlock: number | null }
}

/** The block that an answer is of; null where it names none. */
const blockOf = (text: string): number | null => {
  const { items, chain, pool } = JSON.parse(text) as Body
  return chain?.indexedBlock ?? pool?.asOfBlock ?? items?.[0]?.asOfBlock ?? null
}

type Answer = { readonly status: number; readonly text: string }

const ask = (url: string, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: answerMsMax }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
  })

/** Asks each of the processes so many times in a second, all of `details` among the questions. */
export const startLoad = (
  baseUrls: readonly string[],
  { perSecond, details }: { readonly perSecond: number; readonly details: readonly string[] },
): Load => {
  const failures: string[] = []
  const stepsBack: string[] = []
  const pending = new Set<Promise<void>>()
  let [answered, refusedDetails] = [0, 0]
  const paths = [...listPaths, ...details]

  const processes = baseUrls.map((baseUrl) => {
    const agent = new Agent({ keepAlive: true, maxSockets: openMax })
    let [open, turn, highest] = [0, 0, 0]

    const judge = (path: string, floor: number, { status, text }: Answer): void => {
      if (status === 503 && details.includes(path)) refusedDetails += 1
      else if (status !== 200) failures.push(`${path} ${status} ${text.slice(0, 200)}`)
      if (status !== 200) return
      answered += 1
      const block = blockOf(text)
      if (block === null) return
      if (block < floor) stepsBack.push(`${path}: ${block} after ${floor}`)
      highest = Math.max(highest, block)
    }

    const askOnce = async (): Promise<void> => {
      const path = paths[turn++ % paths.length] as string
      // What was answered before this question was asked: the answer may not be of an earlier one.
      const floor = highest
      open += 1
      try {
        judge(path, floor, await ask(`${baseUrl}${path}`, agent))
      } catch (error) {
        failures.push(`${path} ${String(error)}`)
      }
      open -= 1
    }

    const send = (): void => {
      if (open >= openMax) return
      const one = askOnce().finally(() => pending.delete(one))
      pending.add(one)
    }
    return { send, agent }
  })

  let due = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond)
    last = now
    for (; due >= 1; due -= 1) for (const { send } of processes) send()
  }, tickMs)

  return {
    failures: () => failures,
    refusedDetails: () => refusedDetails,
    answered: () => answered,
    stepsBack: () => stepsBack,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(pending)
      for (const { agent } of processes) agent.destroy()
    },
  }
}
