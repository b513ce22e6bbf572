import { useState } from 'preact/hooks'
import { shortHex } from '../format/text.ts'
import { Tip } from './tip.tsx'

const copiedMs = 1200

/** An address or an id, shortened; a click copies the whole. */
export const Hex = ({ hex, what }: { readonly hex: string; readonly what: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(hex)
    } catch {
      // Without a secure context there is no clipboard; the whole is in the explanation.
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), copiedMs)
  }
  return (
    <Tip tell={() => `${what}\n${hex}\nClick to copy.`}>
      <button type="button" class="hex" aria-label={`Copy ${what} ${hex}`} onClick={copy}>
        {copied ? 'copied' : shortHex(hex)}
      </button>
    </Tip>
  )
}
