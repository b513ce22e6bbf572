import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Market } from '../../market/market.ts'
import { isStoreError } from '../../market/store-errors.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { CachePolicy } from '../http/headers.ts'
import { type ErrorCode, notReady, type Problem, storeUnavailable } from '../http/problems.ts'
import {
  type FieldValues,
  type PathFields,
  parsePath,
  parseQuery,
  type QueryFields,
} from '../http/query.ts'
import { createBodyWriter } from '../http/serialize.ts'

/** What never changes while the service runs. */
export type NetworkFacts = {
  readonly name: string
  readonly sandbox: boolean
  readonly explorerUrl: string | null
}

/** Everything that can be requested. */
export type Catalogue = {
  readonly endpoints: readonly Endpoint[]
  readonly documents: readonly TextRoute[]
  readonly channels: readonly RawRoute[]
  /** Pages for people: they may change at any time, so no list of the interface names them. */
  readonly pages: readonly TextRoute[]
}

/** What answers are made of. */
export type RouteContext = {
  readonly market: Market
  readonly network: NetworkFacts
  /** The measurements of this process in Prometheus's text format. */
  readonly measure: () => Promise<string>
  readonly logger: Logger
  readonly catalogue: Catalogue
}

type Route = {
  /** `:name` stands for a parameter of the path. */
  readonly path: `/${string}`
  readonly summary: string
  /** Whether it counts against the client's rate limit. */
  readonly rateLimited: boolean
}

/** The name of an operation in generated clients, and the group that the documents list it in. */
type Operation = { readonly operationId: string; readonly tag: 'market' | 'service' }

type EndpointFacts = Route &
  Operation & {
    readonly cache: Extract<CachePolicy, 'no-store' | 'data'>
    /** Answers 503 until the first snapshot is built. */
    readonly needsSnapshot: boolean
    /** The error where nothing has the given name; null if the path names nothing. */
    readonly notFound: ErrorCode | null
  }

type RawInput = { readonly path: Readonly<Record<string, string>>; readonly query: string }

/** A route that answers with JSON of one schema. */
export type Endpoint = EndpointFacts & {
  readonly pathFields: PathFields
  readonly queryFields: QueryFields
  readonly schema: TObject
  /** The body, or why there is none. */
  readonly respond: (context: RouteContext, input: RawInput) => Promise<Outcome<string, Problem>>
}

type Answered<T> = Outcome<T, Problem> | Promise<Outcome<T, Problem>>

type EndpointParts<P extends PathFields, Q extends QueryFields, S extends TObject> = Route &
  Operation &
  Partial<EndpointFacts> & {
    readonly pathFields?: P
    readonly queryFields?: Q
    readonly schema: S
    readonly answer: (
      context: RouteContext,
      given: { readonly path: FieldValues<P>; readonly query: FieldValues<Q> },
    ) => Answered<Static<S>>
  }

const answerOr = async <T>(answer: () => Answered<T>): Promise<Outcome<T, Problem>> => {
  try {
    return await answer()
  } catch (error) {
    if (isStoreError(error)) return failure(storeUnavailable)
    throw error
  }
}

type None = Readonly<Record<never, never>>

/**
 * An endpoint of a typed answer: it checks its parameters first, then whether it can answer. What
 * it leaves out is as market data has it: answered from a snapshot, and kept for a moment.
 */
export const defineEndpoint = <
  const P extends PathFields = None,
  const Q extends QueryFields = None,
  S extends TObject = TObject,
>({
  answer,
  ...parts
}: EndpointParts<P, Q, S>): Endpoint => {
  const isMarket = parts.tag === 'market'
  const endpoint = {
    cache: isMarket ? ('data' as const) : ('no-store' as const),
    needsSnapshot: isMarket,
    notFound: null,
    pathFields: {},
    queryFields: {},
    ...parts,
  }
  const { pathFields, queryFields, needsSnapshot } = endpoint
  const write = createBodyWriter(endpoint.schema)
  return {
    ...endpoint,
    respond: async (context, input) => {
      const path = parsePath(pathFields, input.path)
      if (!path.ok) return path
      const query = parseQuery(queryFields, input.query)
      if (!query.ok) return query
      if (needsSnapshot && !context.market.isReady()) return failure(notReady)
      const given = { path: path.value as FieldValues<P>, query: query.value as FieldValues<Q> }
      const answered = await answerOr(() => answer(context, given))
      return answered.ok ? success(write(answered.value)) : answered
    },
  }
}

type Text = string | Buffer | null

/** A route that answers with text: a description, a page, a picture, the metrics. */
export type TextRoute = Route & {
  readonly type: string
  readonly cache: CachePolicy
  /** In the place of the constant ones of the same name; null: without that one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** `given` are the parameters of the path; null: there is nothing of that name. */
  readonly text: (
    context: RouteContext,
    given: Readonly<Record<string, string>>,
  ) => Text | Promise<Text>
}

/** A request and its response, of which nothing is written yet. */
export type RawExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** They belong to the response, whatever it says. */
  readonly headers: Readonly<Record<string, string>>
  /** Counts so many requests more against the client's rate. */
  readonly charge: (requests: number) => void
}

export type OpenRawRoute = {
  /** Owns the response. */
  readonly handle: (exchange: RawExchange) => void
  /** Ends everything that is under way, for an orderly stop. */
  readonly close: () => void | Promise<void>
}

/** A route that takes a request over instead of answering it once: the stream, and MCP. */
export type RawRoute = Route &
  Operation & {
    /** Besides OPTIONS. */
    readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'DELETE')[]
    readonly queryFields: QueryFields
    /** JSON that the request carries; null: it carries none. */
    readonly body: TSchema | null
    readonly reply: {
      readonly type: string
      readonly description: string
      readonly schema: TSchema
    }
    /** The errors of its own. */
    readonly errors: readonly ErrorCode[]
    /** Made once per server. */
    readonly open: (context: RouteContext) => OpenRawRoute
  }
