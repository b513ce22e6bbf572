import { useEffect, useState } from 'preact/hooks'
import type { Draft } from './order.ts'

/** Debounce time of typing. */
const typingMs = 350

const start: Draft = { side: 'buy', unit: 'usd', text: '' }

/** An order as it is typed, and as it stood when the reader last paused or pressed Enter. */
export const useDraft = () => {
  const [draft, setDraft] = useState(start)
  const [settled, setSettled] = useState(start)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), typingMs)
    return () => clearTimeout(timer)
  }, [draft])
  return {
    draft,
    settled,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    settle: () => setSettled(draft),
  }
}
