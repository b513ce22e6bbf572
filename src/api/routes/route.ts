import type { Static, TObject, TSchema } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Market } from '../../market/market.ts'
import { isStoreError } from '../../market/store-errors.ts'
import type { ExportedFiles } from '../../ports/exported-files.ts'
import type { Logger } from '../../ports/runtime.ts'
import { type AsOf, watchAsOf } from '../http/as-of.ts'
import type { CrossOriginAccess } from '../http/cross-origin.ts'
import type { CachePolicy } from '../http/headers.ts'
import type { ServerLimits } from '../http/limits.ts'
import { type ErrorCode, type Problem, problems } from '../http/problems.ts'
import {
  type FieldValues,
  type PathFields,
  parsePath,
  parseQuery,
  type QueryFields,
} from '../http/query.ts'
import type { RawExchange } from '../http/send-response.ts'
import { createBodyWriter, createListBodyWriter } from '../http/serialize.ts'

/** Constant while the service runs. */
export type NetworkInfo = {
  readonly name: string
  readonly sandbox: boolean
  readonly explorerUrl: string | null
}

/** Every route of the service. */
export type Catalogue = {
  readonly endpoints: readonly Endpoint[]
  readonly textRoutes: readonly TextRoute[]
  readonly rawRoutes: readonly RawRoute[]
  /** Pages for people. They may change at any time, so the API's documentation omits them. */
  readonly pages: readonly TextRoute[]
}

export type RouteContext = {
  readonly market: Market
  readonly network: NetworkInfo
  readonly exportedFiles: ExportedFiles | null
  readonly limits: ServerLimits
  /** The metrics in Prometheus's text format. */
  readonly renderMetrics: () => Promise<string>
  readonly logger: Logger
  readonly catalogue: Catalogue
}

type Route = {
  /** `:name` stands for a path parameter. */
  readonly path: `/${string}`
  readonly summary: string
  /** Whether requests count against the client's rate limit. */
  readonly rateLimited: boolean
  /** By default any. */
  readonly crossOrigin?: CrossOriginAccess
}

/** The method name in generated clients, and the group in the documentation. */
type Operation = {
  readonly operationId: string
  /** What the summary leaves open, for the OpenAPI document. */
  readonly description: string
  readonly tag: 'market' | 'service'
}

type EndpointMeta = Route &
  Operation & {
    readonly cache: Extract<CachePolicy, 'no-store' | 'data'>
    /** Whether it responds with 503 until the first snapshot is built. */
    readonly needsSnapshot: boolean
    /** The response is the list `items` of the schema alone, as some formats have it. */
    readonly isBareList: boolean
    /** Query of a request in the documentation, where one is required. */
    readonly exampleQuery?: string
    /** The error for an unknown resource; null if the path names none. */
    readonly notFound: ErrorCode | null
    /** Errors that only this endpoint has. */
    readonly errors: readonly ErrorCode[]
  }

type RawInput = { readonly path: Readonly<Record<string, string>>; readonly query: string }

/** A serialized body, and the state that it was computed from, if it is of the index. */
type Answered = { readonly body: string; readonly asOf: AsOf }

/** A route whose responses are JSON of one schema. */
export type Endpoint = EndpointMeta & {
  readonly pathFields: PathFields
  readonly queryFields: QueryFields
  readonly schema: TObject
  readonly respond: (context: RouteContext, input: RawInput) => Promise<Outcome<Answered, Problem>>
}

type Answer<T> = Outcome<T, Problem> | Promise<Outcome<T, Problem>>

type EndpointDefinition<P extends PathFields, Q extends QueryFields, S extends TObject> = Route &
  Operation &
  Partial<EndpointMeta> & {
    readonly pathFields?: P
    readonly queryFields?: Q
    readonly schema: S
    /** What single fields cannot check; null if the query is valid. */
    readonly check?: (query: FieldValues<Q>) => Problem | null
    readonly answer: (
      context: RouteContext,
      params: { readonly path: FieldValues<P>; readonly query: FieldValues<Q> },
    ) => Answer<Static<S>>
  }

/** Turns a failed or late read of the store into its problem. */
export const orStoreUnavailable = async <T>(
  { limits }: Pick<RouteContext, 'limits'>,
  answer: () => Answer<T>,
): Promise<Outcome<T, Problem>> => {
  let timer: NodeJS.Timeout | undefined
  const late = (resolve: (outcome: Outcome<T, Problem>) => void) => {
    timer = setTimeout(() => resolve(failure(problems.storeSlow)), limits.answerMsMax)
  }
  try {
    const answered = answer()
    return answered instanceof Promise
      ? await Promise.race([answered, new Promise(late)])
      : answered
  } catch (error) {
    if (isStoreError(error)) return failure(problems.storeUnavailable)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type None = Readonly<Record<never, never>>

/**
 * Defines a typed endpoint. It validates its parameters before it checks for a snapshot. By default
 * endpoints tagged `market` need a snapshot and are cached; the others are neither.
 */
export const defineEndpoint = <
  const P extends PathFields = None,
  const Q extends QueryFields = None,
  S extends TObject = TObject,
>({
  answer,
  check,
  ...definition
}: EndpointDefinition<P, Q, S>): Endpoint => {
  const isMarket = definition.tag === 'market'
  const endpoint = {
    cache: isMarket ? ('data' as const) : ('no-store' as const),
    needsSnapshot: isMarket,
    isBareList: false,
    notFound: null,
    errors: [],
    pathFields: {},
    queryFields: {},
    ...definition,
  }
  const { pathFields, queryFields, needsSnapshot, isBareList, schema } = endpoint
  const write = isBareList ? createListBodyWriter(schema) : createBodyWriter(schema)
  return {
    ...endpoint,
    respond: async (context, input) => {
      const path = parsePath(pathFields, input.path)
      if (!path.ok) return path
      const query = parseQuery(queryFields, input.query)
      if (!query.ok) return query
      const problem = check?.(query.value as FieldValues<Q>) ?? null
      if (problem !== null) return failure(problem)
      if (needsSnapshot && !context.market.isReady()) return failure(problems.notReady)
      const params = { path: path.value as FieldValues<P>, query: query.value as FieldValues<Q> }
      const asOf = isMarket ? watchAsOf(context.market) : () => null
      const result = await orStoreUnavailable(context, () => answer(context, params))
      if (!result.ok) return result
      return success({ body: write(result.value), asOf: asOf(result.value) })
    },
  }
}

type Text = string | Buffer | null

/** A route whose responses are text: a document, a page, a picture, the metrics. */
export type TextRoute = Route & {
  readonly type: string
  readonly cache: CachePolicy
  /** Override the constant headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Without them the query is ignored. */
  readonly queryFields?: QueryFields
  /** Returns null for an unknown resource. */
  readonly render: (
    context: RouteContext,
    params: Readonly<Record<string, string>>,
    rawQuery: string,
  ) => Text | Promise<Text>
}

export type OpenRawRoute = {
  /** Takes ownership of the response. */
  readonly handle: (exchange: RawExchange) => void
  /** Ends open exchanges at shutdown. */
  readonly close: () => void | Promise<void>
}

/** A route that takes over request and response: the stream, MCP and files. */
export type RawRoute = Route &
  Operation & {
    /** Besides OPTIONS. */
    readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'DELETE')[]
    readonly pathFields?: PathFields
    readonly queryFields: QueryFields
    /** The schema of the request body; null for none. */
    readonly body: TSchema | null
    readonly reply: {
      /** One of them. */
      readonly types: readonly string[]
      readonly description: string
      readonly schema: TSchema
    }
    /** Other statuses than 200 that are not errors, as OpenAPI describes them. */
    readonly statuses?: Readonly<Record<string, object>>
    /** Errors beyond those of all routes. */
    readonly errors: readonly ErrorCode[]
    /** Called once per server. */
    readonly open: (context: RouteContext) => OpenRawRoute
  }
