import type { AnswerContext } from './endpoint.ts'
import type { CachePolicy } from './headers.ts'

/** A text that is no answer about the market: a description, a page, a list of measurements. */
export type Document = {
  readonly path: `/${string}`
  readonly summary: string
  readonly type: string
  readonly cache: Extract<CachePolicy, 'document' | 'no-store'>
  readonly rateLimited: boolean
  /** In the place of the constant ones of the same name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly text: (context: AnswerContext) => string | Buffer | Promise<string>
}
