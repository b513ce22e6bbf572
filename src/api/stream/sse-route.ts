import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { type ClientQuota, createClientQuota } from '../http/client-quota.ts'
import type { ServerLimits } from '../http/limits.ts'
import { problems } from '../http/problems.ts'
import { parseQuery, type QueryField } from '../http/query.ts'
import { targetQuery } from '../http/request-target.ts'
import type { RawExchange } from '../http/send-response.ts'
import { rejectExchange } from '../http/send-response.ts'
import type { OpenRawRoute, RawRoute, RouteContext } from '../routes/route.ts'
import { poolIdField, symbolField } from '../schemas/query-fields.ts'
import type { StreamConnection } from './delivery.ts'
import { eventIdPattern } from './event-id.ts'
import { createHub, type Hub } from './hub.ts'
import { type StreamFilter, selectableTopics } from './messages.ts'

/** A slow client is disconnected at this backlog; it can reconnect and resume. */
const unreadBytesMax = 1024 * 1024
/** Shorter than the minute after which common proxies close an idle connection. */
const heartbeatMs = 15_000

type Topics = StreamFilter['topics']

const parseTopics = (text: string): Topics | undefined => {
  const names = text.split(',')
  const known = selectableTopics.filter((topic) => names.includes(topic))
  return known.length === names.length ? known : undefined
}

const topicsField: QueryField<Topics> = {
  description: 'The topics to receive.',
  rule: `one or more of ${selectableTopics.join(', ')}, separated by commas, each at most once`,
  schema: Type.String({ pattern: '^[a-z]+(,[a-z]+)*$' }),
  errorCode: 'invalid_parameter',
  absent: selectableTopics,
  parse: parseTopics,
}

/** For clients that cannot set the header, such as a new EventSource in a browser. */
const lastEventIdField: QueryField<string | null> = {
  description: 'The id of the last received event; the header Last-Event-ID takes precedence.',
  rule: 'an event id of this stream',
  schema: Type.String({ pattern: eventIdPattern.source }),
  errorCode: 'invalid_parameter',
  absent: null,
  parse: (text) => (eventIdPattern.test(text) ? text : undefined),
}

const fields = {
  topics: topicsField,
  symbol: { ...symbolField, description: 'Only events of this stock.' },
  id: { ...poolIdField, absent: null, description: 'Only events of this pool.' },
  lastEventId: lastEventIdField,
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Some proxies buffer a response by default.
  'x-accel-buffering': 'no',
}

const createConnection = ({ response }: RawExchange): StreamConnection => ({
  write: (bytes, then) => {
    if (response.destroyed || response.writableEnded) return
    if (response.writableLength > unreadBytesMax) response.destroy()
    else response.write(bytes, () => then?.())
  },
})

type Streams = {
  readonly hub: Hub
  readonly responses: Set<RawExchange['response']>
  readonly quota: ClientQuota
  readonly limits: ServerLimits
}

const openStream = (exchange: RawExchange, { hub, responses, quota, limits }: Streams): void => {
  const { request, response, headers, client } = exchange
  const query = parseQuery(fields, targetQuery(request.url ?? ''))
  if (!query.ok) {
    rejectExchange(exchange, query.fault)
    return
  }
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...headers, ...streamHeaders }).end()
    return
  }
  if (request.socket.destroyed) return
  const share = quota.take(client)
  if (share !== 'taken') {
    const isOwn = share === 'client-full'
    const problem = isOwn ? problems.clientStreamsFull(limits) : problems.streamsFull(limits)
    rejectExchange(exchange, problem)
    return
  }
  response.writeHead(200, { ...headers, ...streamHeaders })
  const { lastEventId, ...filter } = query.value
  const header = request.headers['last-event-id']
  // The idle limit is for requests; writing a heartbeat detects dead streams.
  request.socket.setTimeout(0)
  const leave = hub.subscribe(createConnection(exchange), filter, header?.toString() ?? lastEventId)
  responses.add(response)
  response.on('close', () => {
    leave()
    quota.release(client)
    responses.delete(response)
  })
}

const open = ({ market, limits }: RouteContext): OpenRawRoute => {
  const hub = createHub({
    runId: randomBytes(4).toString('hex'),
    readMissed: market.missedChanges,
  })
  const responses: Streams['responses'] = new Set()
  const quota = createClientQuota({
    total: limits.streamsMax,
    perClient: limits.streamsPerClientMax,
  })
  // Subscribes at start, so that the replay buffer fills even without clients.
  const unsubscribe = market.subscribe(hub.publish)
  const heartbeats = setInterval(hub.heartbeat, heartbeatMs).unref()
  return {
    handle: (exchange) => openStream(exchange, { hub, responses, quota, limits }),
    close: () => {
      unsubscribe()
      clearInterval(heartbeats)
      for (const response of responses) response.end()
    },
  }
}

/** Change events as server-sent events (WHATWG HTML §9.2). */
export const streamRoute: RawRoute = {
  path: '/api/v1/stream',
  summary: 'Streams changes of pools, swaps, stocks and sources as server-sent events.',
  operationId: 'streamChanges',
  description:
    'Server-sent events: pools, swaps, stocks and sources as they change, and what a ' +
    'reorganisation replaces. `Last-Event-ID` or `lastEventId` resumes behind an ' +
    'event; after `resync` fetch again.',
  tag: 'market',
  methods: ['GET', 'HEAD'],
  rateLimited: true,
  queryFields: fields,
  body: null,
  reply: {
    types: ['text/event-stream'],
    description: 'An endless stream of events; the data of each is one line of JSON.',
    schema: Type.String(),
  },
  errors: [],
  open,
}
