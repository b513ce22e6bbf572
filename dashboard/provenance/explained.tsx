import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ExplainContext } from '../live/explain.ts'
import { ProvenanceDialog } from './provenance-dialog.tsx'

type Props = { readonly poolId: string; readonly children: ComponentChildren }

/** The pool's numbers inside open how they were made. */
export const Explained = ({ poolId, children }: Props) => {
  const [field, setField] = useState<string | null>(null)
  return (
    <>
      <ExplainContext.Provider value={setField}>{children}</ExplainContext.Provider>
      {field === null ? null : (
        <ProvenanceDialog poolId={poolId} field={field} onClose={() => setField(null)} />
      )}
    </>
  )
}
