import { isApiError } from '../../src/client/api-error.ts'

/** It will go over: the question is asked again until then. */
const isPassing = (error: unknown): boolean =>
  !isApiError(error) || error.status === 429 || error.status === 503

/** Why there is no answer, in words for people. */
const faultWords = (error: unknown): string => {
  if (!isApiError(error)) return 'The service can not be reached. Trying again …'
  if (error.status === 429) return 'Too many questions in a minute: waiting …'
  if (error.status === 503) return 'The service is starting: the first snapshot is on its way …'
  return error.message
}

/** A whole page that has nothing to show. */
export const Nothing = ({ error, what }: { readonly error: unknown; readonly what: string }) => (
  <div class={isPassing(error) ? 'nothing loading' : 'nothing'} role="status">
    {error === null ? (
      <p class="mute">Loading {what} …</p>
    ) : (
      <>
        <p>{faultWords(error)}</p>
        <p>
          <a href="/">All pools</a>
        </p>
      </>
    )}
  </div>
)
