import type { Store } from '../../ports/store.ts'
import type { PagedWriter } from './writer.ts'

/** All that the thread which writes can be asked for. */
export type ThreadedWriter = PagedWriter & Pick<Store, 'close'>

/** One method to be called. */
export type WriterOrder = {
  readonly number: number
  readonly method: keyof ThreadedWriter
  readonly input: readonly unknown[]
}

/** First whether the store could be opened, then one answer for each order. */
export type WriterAnswer =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly fault: string }
  | { readonly kind: 'done'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly number: number; readonly error: unknown }
