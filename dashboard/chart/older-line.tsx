import type { FurtherState } from '../live/use-further.ts'
import type { CandleList } from './candle-list.ts'

export type OlderProps = {
  readonly state: FurtherState
  /** Why there are no older ones; null if there are. */
  readonly end: CandleList['end'] | 'too-many' | null
  readonly onLoad: () => void
}

const endWords: Readonly<Record<NonNullable<OlderProps['end']>, string>> = {
  first: 'The pool’s first candle is on the left.',
  'not-kept': 'Older candles are not kept.',
  'too-many': 'Choose wider candles to see further back.',
}

/** What is to the left of the candles in sight. */
export const OlderLine = (props: OlderProps & { readonly isShown: boolean }) => {
  const { state, end, isShown, onLoad } = props
  if (state === 'failed') {
    return (
      <p class="small" role="status">
        Older candles could not be loaded.{' '}
        <button type="button" class="again" onClick={onLoad}>
          Try again
        </button>
      </p>
    )
  }
  const words = state === 'loading' ? 'Loading older candles …' : end === null ? '' : endWords[end]
  return (
    <p class="small" role="status">
      {isShown ? words : ''}
    </p>
  )
}
