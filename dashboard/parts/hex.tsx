import { useState } from 'preact/hooks'
import { shortHex } from '../format/text.ts'
import { Tip } from './tip.tsx'

const copiedMs = 1200

type HexProps = { readonly hex: string; readonly what: string; readonly tabIndex?: 0 | -1 }

/** A shortened address or id; a click copies it in full. */
export const Hex = ({ hex, what, tabIndex = 0 }: HexProps) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(hex)
    } catch {
      // Without a secure context there is no clipboard; the tip shows the full value.
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), copiedMs)
  }
  return (
    <Tip text={() => `${what}\n${hex}\nClick to copy.`}>
      <button
        type="button"
        class="hex"
        aria-label={`Copy ${what} ${hex}`}
        tabIndex={tabIndex}
        onClick={copy}
      >
        {copied ? 'copied' : shortHex(hex)}
      </button>
    </Tip>
  )
}
