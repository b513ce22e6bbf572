import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { load, median } from './api/load.ts'
import { openSubscribers } from './api/streams.ts'

/**
 * Measures the HTTP interface: `npm run bench:api [-- --pools 46000 --seconds 5 --repeat 3]`. Each
 * figure is a fraction of what a bare server of node reaches with the same bytes, in turns with it.
 */

const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '46000' },
    seconds: { type: 'string', default: '5' },
    repeat: { type: 'string', default: '3' },
    json: {
      type: 'string',
      default: fileURLToPath(new URL('./out/api.json', import.meta.url)),
    },
  },
})
const [pools, seconds, repeat] = [values.pools, values.seconds, values.repeat].map(Number) as [
  number,
  number,
  number,
]

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

type Usage = { readonly cpuSeconds: number; readonly rssBytes: number }
type Started = { readonly url: string; readonly bareUrl: string }

const tell = async <Answer>(child: ChildProcess, order: object): Promise<Answer> => {
  const answered = once(child, 'message')
  child.send(order)
  return (await answered)[0] as Answer
}

const textOf = async (url: string): Promise<string> => {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return reply.text()
}

type Figure = {
  readonly row: number
  readonly what: string
  readonly perSecond: number
  readonly barePerSecond: number
  readonly ratio: number
  readonly goal: number
  readonly p99Ms: number
}

/** One question, or many different ones, against the bare server in the same minute. */
const compare = async (
  child: ChildProcess,
  { url, bareUrl }: Started,
  [row, what, goal, paths]: readonly [number, string, number, readonly string[]],
): Promise<Figure> => {
  const text = await textOf(url + (paths[0] ?? ''))
  await tell(child, { kind: 'constant', text })
  const rounds = []
  for (let round = 0; round < repeat; round++) {
    say(`row ${row}: ${what}, round ${round + 1} of ${repeat}`)
    const bare = await load(bareUrl, ['/'], seconds)
    const ours = await load(url, paths, seconds)
    if (ours.failed > 0) throw new Error(`${what}: ${ours.failed} requests failed`)
    rounds.push({ bare, ours })
  }
  return {
    row,
    what: `${what} (${Math.round(text.length / 1024)} KB)`,
    perSecond: median(rounds.map(({ ours }) => ours.perSecond)),
    barePerSecond: median(rounds.map(({ bare }) => bare.perSecond)),
    ratio: median(rounds.map(({ bare, ours }) => ours.perSecond / bare.perSecond)),
    goal,
    p99Ms: median(rounds.map(({ ours }) => ours.p99Ms)),
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const many = (count: number, make: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => make(at))

const questions = (id: string) =>
  [
    [6, 'GET /pools?limit=25', 0.8, ['/api/v1/pools?limit=25']],
    [7, 'GET /pools/:id, 24 h', 0.5, [`/api/v1/pools/${id}`]],
    [
      8,
      'filtered by symbol and kind',
      0.3,
      [
        '/api/v1/pools?symbol=NVDA',
        '/api/v1/pools?symbol=TSLA',
        '/api/v1/pools?kind=meme',
        '/api/v1/pools?kind=canonical&active=true',
        '/api/v1/pools?sort=vol24h&offset=100',
      ],
    ],
    [
      8,
      'searched, 1,296 different texts',
      0.3,
      many(1296, (at) => `/api/v1/pools?q=meme${letters[Math.floor(at / 36)]}${letters[at % 36]}`),
    ],
  ] as const

const subscribersCount = 1000
const eventsPerSecond = 50

const measureStreams = async (child: ChildProcess, { url }: Started) => {
  say(`row 12: ${subscribersCount} subscribers, ${eventsPerSecond} events/s`)
  const subscribers = await openSubscribers(url, subscribersCount)
  const before = await tell<Usage>(child, { kind: 'news', perSecond: eventsPerSecond })
  const begunMs = performance.now()
  await new Promise((resolve) => setTimeout(resolve, seconds * 2000))
  const after = await tell<Usage>(child, { kind: 'news', perSecond: 0 })
  const wallSeconds = (performance.now() - begunMs) / 1000
  await new Promise((resolve) => setTimeout(resolve, 300))
  const heard = subscribers.events()
  subscribers.close()
  return {
    row: 12,
    cores: (after.cpuSeconds - before.cpuSeconds) / wallSeconds,
    heardPerSubscriberAndSecond: heard / subscribersCount / wallSeconds,
    rssMb: after.rssBytes / 1e6,
  }
}

const child = fork(fileURLToPath(new URL('./api/serve.ts', import.meta.url)), [String(pools)])
const [started] = (await once(child, 'message')) as [Started]
say(`${pools} pools are served`)
const { items } = JSON.parse(await textOf(`${started.url}/api/v1/pools?limit=1`))
const figures: Figure[] = []
for (const question of questions(items[0].id)) figures.push(await compare(child, started, question))
const streams = await measureStreams(child, started)
child.disconnect()

for (const { row, what, perSecond, barePerSecond, ratio, goal, p99Ms } of figures) {
  const verdict = ratio >= goal ? 'reached' : 'NOT reached'
  process.stdout.write(
    `row ${row}  ${what.padEnd(42)} ${perSecond.toFixed(0).padStart(7)}/s of ` +
      `${barePerSecond.toFixed(0).padStart(7)}/s  ratio ${ratio.toFixed(2)} (goal ${goal}, ` +
      `${verdict})  p99 ${p99Ms} ms\n`,
  )
}
process.stdout.write(
  `row 12 ${subscribersCount} subscribers heard ` +
    `${streams.heardPerSubscriberAndSecond.toFixed(1)} ` +
    `events/s each at ${streams.cores.toFixed(2)} cores (goal <= 1), ` +
    `${streams.rssMb.toFixed(0)} MB\n`,
)
mkdirSync(dirname(values.json), { recursive: true })
writeFileSync(values.json, `${JSON.stringify({ pools, figures, streams }, null, 2)}\n`)
