import type { CachePolicy } from '../http/headers.ts'
import type { AnswerContext } from './endpoint.ts'

type Text = string | Buffer | null

/** A text that is no answer about the market: a description, a page, a list of measurements. */
export type Document = {
  readonly path: `/${string}`
  readonly summary: string
  readonly type: string
  readonly cache: CachePolicy
  readonly rateLimited: boolean
  /** In the place of the constant ones of the same name; null: without that one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** `given` are the parameters of the path; null: there is nothing of that name. */
  readonly text: (
    context: AnswerContext,
    given: Readonly<Record<string, string>>,
  ) => Text | Promise<Text>
}
