import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Problem } from '../http/problems.ts'
import { parseQuery, type QueryField } from '../http/query.ts'
import { rejectExchange } from '../http/send-response.ts'
import type { OpenRawRoute, RawExchange, RawRoute, RouteContext } from '../routes/route.ts'
import { poolIdField, symbolField } from '../schemas/query-fields.ts'
import type { StreamConnection } from './delivery.ts'
import { createHub, type Hub } from './hub.ts'
import type { StreamFilter } from './messages.ts'
import { choosableTopics } from './messages.ts'

/** Connections that may stay open; each costs some 20 KB. */
const subscribersMax = 2000
/** A reader that lets this much pile up is cut off: it can come back and resume. */
const unreadBytesMax = 1024 * 1024
/** Shorter than the minute after which usual proxies call a connection dead. */
const beatMs = 15_000

type Topics = StreamFilter['topics']

const parseTopics = (text: string): Topics | undefined => {
  const names = text.split(',')
  const known = choosableTopics.filter((topic) => names.includes(topic))
  return known.length === names.length ? known : undefined
}

const topicsField: QueryField<Topics> = {
  description: 'What to hear of.',
  rule: `one or more of ${choosableTopics.join(', ')}, parted by commas, none twice`,
  schema: Type.String({ pattern: '^[a-z]+(,[a-z]+)*$' }),
  errorCode: 'invalid_parameter',
  absent: choosableTopics,
  parse: parseTopics,
}

const eventIdPattern = /^[0-9a-f]{8}-[0-9]{1,15}$/

/** Also for clients that can set no header: a browser's EventSource that is made anew. */
const lastEventIdField: QueryField<string | null> = {
  description: 'The id of the last event that was heard; the header Last-Event-ID goes before it.',
  rule: 'an id of this stream',
  schema: Type.String({ pattern: eventIdPattern.source }),
  errorCode: 'invalid_parameter',
  absent: null,
  parse: (text) => (eventIdPattern.test(text) ? text : undefined),
}

const fields = {
  topics: topicsField,
  symbol: { ...symbolField, description: 'Only what concerns this stock.' },
  id: { ...poolIdField, absent: null, description: 'Only what concerns this pool.' },
  lastEventId: lastEventIdField,
}

const full: Problem = {
  code: 'not_ready',
  detail: `${subscribersMax} clients are listening already`,
  headers: { 'retry-after': '10' },
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Some proxies gather a reply before they pass it on.
  'x-accel-buffering': 'no',
}

const queryOf = (target: string): string => {
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

/** A sink that gives up on whoever does not read. */
const sinkOf = ({ response }: RawExchange): StreamConnection => ({
  write: (bytes, then) => {
    if (response.destroyed || response.writableEnded) return
    if (response.writableLength > unreadBytesMax) response.destroy()
    else response.write(bytes, () => then?.())
  },
})

const listen = (exchange: RawExchange, hub: Hub, responses: Set<RawExchange['response']>): void => {
  const { request, response, headers } = exchange
  const query = parseQuery(fields, queryOf(request.url ?? ''))
  if (!query.ok || hub.size() >= subscribersMax) {
    rejectExchange(exchange, query.ok ? full : query.fault)
    return
  }
  response.writeHead(200, { ...headers, ...streamHeaders })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const { lastEventId, ...filter } = query.value
  const header = request.headers['last-event-id']
  // The idle limit is for those who ask; here it is we who speak, and the beat notices the dead.
  request.socket.setTimeout(0)
  const leave = hub.subscribe(sinkOf(exchange), filter, header?.toString() ?? lastEventId)
  responses.add(response)
  response.on('close', () => {
    leave()
    responses.delete(response)
  })
}

const open = ({ market }: RouteContext): OpenRawRoute => {
  const hub = createHub(randomBytes(4).toString('hex'))
  const responses = new Set<RawExchange['response']>()
  // From the start, so that whoever comes back finds what happened while nobody listened.
  const unwatch = market.subscribe(hub.publish)
  const beating = setInterval(hub.heartbeat, beatMs).unref()
  return {
    handle: (exchange) => listen(exchange, hub, responses),
    close: () => {
      unwatch()
      clearInterval(beating)
      for (const response of responses) response.end()
    },
  }
}

/** Everything that changes, as it changes (server-sent events, WHATWG HTML §9.2). */
export const streamChannel: RawRoute = {
  path: '/api/v1/stream',
  summary: 'What changes, as it changes: pools, swaps, stocks and sources as server-sent events.',
  operationId: 'streamChanges',
  tag: 'market',
  methods: ['GET', 'HEAD'],
  rateLimited: true,
  queryFields: fields,
  body: null,
  reply: {
    type: 'text/event-stream',
    description: 'Events without an end; the data of each is one line of JSON.',
    schema: Type.String(),
  },
  errors: ['not_ready'],
  open,
}
