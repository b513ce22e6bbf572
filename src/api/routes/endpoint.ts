import type { Static, TObject } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Logger } from '../../ports/process.ts'
import type { CachePolicy } from '../http/headers.ts'
import { type ErrorCode, notReady, type Problem, storeAway } from '../http/problems.ts'
import {
  type FieldValues,
  type PathFields,
  parsePath,
  parseQuery,
  type QueryFields,
} from '../http/query.ts'
import { createBodyWriter } from '../http/serialize.ts'
import type { Market } from '../market.ts'
import { isStoreFault } from '../store-fault.ts'
import type { Channel } from './raw-route.ts'
import type { Document } from './text-route.ts'

/** What never changes while the service runs. */
export type NetworkFacts = {
  readonly name: string
  readonly sandbox: boolean
  readonly explorerUrl: string | null
}

/** What answers are made of. */
export type AnswerContext = {
  readonly market: Market
  readonly network: NetworkFacts
  /** The measurements of this process in Prometheus's text format. */
  readonly measure: () => Promise<string>
  readonly logger: Logger
  readonly endpoints: readonly Endpoint[]
  readonly documents: readonly Document[]
  readonly channels: readonly Channel[]
}

type EndpointFacts = {
  /** `:name` stands for a parameter of the path. */
  readonly path: `/${string}`
  /** Its name in generated clients. */
  readonly operationId: string
  readonly tag: 'market' | 'service'
  readonly summary: string
  readonly cache: Extract<CachePolicy, 'no-store' | 'data'>
  /** Whether it counts against the client's rate limit. */
  readonly rateLimited: boolean
  /** Answers 503 until the first snapshot is built. */
  readonly needsSnapshot: boolean
  /** What it says where there is nothing of the name that was given; null: names nothing. */
  readonly notFound: ErrorCode | null
}

export type RawInput = {
  readonly path: Readonly<Record<string, string>>
  readonly query: string
}

export type Endpoint = EndpointFacts & {
  readonly pathFields: PathFields
  readonly queryFields: QueryFields
  readonly schema: TObject
  /** The body, or why there is none. */
  readonly respond: (context: AnswerContext, input: RawInput) => Promise<Outcome<string, Problem>>
}

type EndpointParts<
  P extends PathFields,
  Q extends QueryFields,
  S extends TObject,
> = EndpointFacts & {
  readonly pathFields: P
  readonly queryFields: Q
  readonly schema: S
  readonly answer: (
    context: AnswerContext,
    given: { readonly path: FieldValues<P>; readonly query: FieldValues<Q> },
  ) => Outcome<Static<S>, Problem> | Promise<Outcome<Static<S>, Problem>>
}

/** The answer, unless the store is what fails. */
const answerOr = async <T>(
  answer: () => Outcome<T, Problem> | Promise<Outcome<T, Problem>>,
): Promise<Outcome<T, Problem>> => {
  try {
    return await answer()
  } catch (error) {
    if (isStoreFault(error)) return failure(storeAway)
    throw error
  }
}

/** An endpoint of a typed answer: what it takes is checked first, then whether it can answer. */
export const defineEndpoint = <
  const P extends PathFields,
  const Q extends QueryFields,
  S extends TObject,
>({
  answer,
  ...facts
}: EndpointParts<P, Q, S>): Endpoint => {
  const write = createBodyWriter(facts.schema)
  const { pathFields, queryFields, needsSnapshot } = facts
  return {
    ...facts,
    respond: async (context, input) => {
      const path = parsePath(pathFields, input.path)
      if (!path.ok) return path
      const query = parseQuery(queryFields, input.query)
      if (!query.ok) return query
      if (needsSnapshot && !context.market.isReady()) return failure(notReady)
      const given = { path: path.value, query: query.value }
      const answered = await answerOr(() => answer(context, given))
      return answered.ok ? success(write(answered.value)) : answered
    },
  }
}
