import { isApiError } from '../../src/client/api-error.ts'

/** True for a temporary error; the request is repeated. */
const isTemporary = (error: unknown): boolean =>
  !isApiError(error) || error.status === 429 || error.status === 503

/** Error message for the reader. */
export const errorMessage = (error: unknown): string => {
  if (!isApiError(error)) return 'The service cannot be reached. Retrying …'
  if (error.status === 429) return 'Rate limit exceeded. Waiting …'
  if (error.status === 503) return 'The service is starting …'
  return error.message
}

/** A page without content yet: loading, or an error. */
export const Nothing = ({ error, what }: { readonly error: unknown; readonly what: string }) => (
  <div class={isTemporary(error) ? 'nothing loading' : 'nothing'} role="status">
    {error === null ? (
      <p class="mute">Loading {what} …</p>
    ) : (
      <>
        <p>{errorMessage(error)}</p>
        <p>
          <a href="/">All pools</a>
        </p>
      </>
    )}
  </div>
)
