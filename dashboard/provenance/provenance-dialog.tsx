import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Provenance } from '../../src/client/types.ts'
import { apiWithoutRetries } from '../live/api.ts'
import { useQuestion } from '../live/use-question.ts'
import { ExplorerLink } from '../parts/explorer.tsx'
import { errorMessage } from '../parts/notice.tsx'
import { OriginLine } from '../parts/origin.tsx'
import { numberWordsOf } from '../words/number-words.ts'
import { CheckIt } from './check-it.tsx'
import { Explanation } from './explanation.tsx'

type Props = {
  readonly poolId: string
  /** Name of the number in the API. */
  readonly field: string
  readonly onClose: () => void
}

type ContentProps = {
  readonly answer: Provenance
  readonly field: string
  readonly onField: (field: string) => void
}

const Content = ({ answer, field, onField }: ContentProps) => {
  const entry = answer.fields.find((each) => each.field === field)
  if (entry === undefined) return <p class="nothing">The service does not know this number.</p>
  return (
    <>
      <Explanation answer={answer} entry={entry} onField={onField} />
      <h3>Check it yourself</h3>
      <CheckIt answer={answer} entry={entry} />
    </>
  )
}

/** The numbers from the one that was opened to the one that is shown. */
const useSteps = (field: string) => {
  const [steps, setSteps] = useState<readonly string[]>([field])
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = steps.at(-1) ?? field
  // A screen reader continues with the number that is shown now.
  useEffect(() => heading.current?.focus(), [shown])
  return {
    heading,
    shown,
    open: (next: string) => setSteps((known) => [...known, next]),
    back: steps.length < 2 ? null : () => setSteps((known) => known.slice(0, -1)),
  }
}

/**
 * How a number of the pool was made. Asks once, when it opens; the steps to the number come with
 * the same answer. Closing returns the focus to where it was.
 */
export const ProvenanceDialog = ({ poolId, field, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { heading, shown, open, back } = useSteps(field)
  const { value, error, waiting } = useQuestion({
    key: field,
    version: '',
    ask: (signal) => apiWithoutRetries.provenance(poolId, { field }, { signal }),
  })
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog
      class="provenance"
      ref={dialog}
      aria-labelledby="provenance-title"
      aria-busy={waiting}
      onClose={onClose}
      closedby="any"
    >
      <div class="provenance-page">
        <header>
          {back === null ? null : (
            <button type="button" class="step" onClick={back}>
              ‹ Back
            </button>
          )}
          <h2 id="provenance-title" tabIndex={-1} ref={heading}>
            {numberWordsOf(shown)} <code>{shown}</code>
          </h2>
          <button type="button" class="close" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        <p>
          <OriginLine answer={value} />{' '}
          {value?.asOfBlock == null ? null : (
            <ExplorerLink page="block" hex={String(value.asOfBlock)} what="block of the answer" />
          )}
        </p>
        {value === null ? (
          <p class="nothing" role="status">
            {error === null ? 'Loading …' : errorMessage(error)}
          </p>
        ) : (
          <Content answer={value} field={shown} onField={open} />
        )}
      </div>
    </dialog>
  )
}
