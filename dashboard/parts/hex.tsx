import { shortHex } from '../format/text.ts'
import { Tip } from './tip.tsx'
import { useCopy } from './use-copy.ts'

type HexProps = { readonly hex: string; readonly what: string; readonly tabIndex?: 0 | -1 }

/** A shortened address or id; a click copies it in full. */
export const Hex = ({ hex, what, tabIndex = 0 }: HexProps) => {
  const { copied, copy } = useCopy(hex)
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
