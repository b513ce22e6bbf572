import { useState } from 'preact/hooks'

const copiedMs = 1200

/** Copies a text; `copied` is true for a moment after. */
export const useCopy = (text: string) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Without a secure context there is no clipboard; the text itself is shown elsewhere.
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), copiedMs)
  }
  return { copied, copy }
}
