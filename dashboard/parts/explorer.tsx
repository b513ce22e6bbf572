import { formatInteger } from '../format/number.ts'
import { shortHex } from '../format/text.ts'
import { type ExplorerPage, explorerLink } from '../live/explorer-link.ts'
import { useNetwork } from '../live/network.ts'
import { Hex } from './hex.tsx'
import { Tip } from './tip.tsx'

type Props = {
  /** Null if explorers have no page for it. */
  readonly page: ExplorerPage | null
  readonly hex: string
  /** Description for labels and tips. */
  readonly what: string
}

const useLink = (page: ExplorerPage | null, hex: string): string | null => {
  const network = useNetwork()
  return page === null ? null : explorerLink(network?.explorerUrl ?? null, page, hex)
}

/** Opens a new tab without a referrer. */
const outside = { target: '_blank', rel: 'noopener noreferrer' } as const

/** A link to the explorer; nothing if the network has none. */
export const ExplorerLink = ({ page, hex, what }: Props) => {
  const link = useLink(page, hex)
  if (link === null) return null
  return (
    <Tip text={() => `${what} in the chain’s explorer\n${link}`}>
      <a
        class="outside"
        href={link}
        {...outside}
        aria-label={`${what} ${shortHex(hex)} in the explorer`}
      >
        ↗
      </a>
    </Tip>
  )
}

/** The number of a block, which is a link if the explorer has a page for it. */
export const BlockLink = ({ block, what }: { readonly block: number; readonly what: string }) => {
  const link = useLink('block', String(block))
  const text = `#${formatInteger(block)}`
  if (link === null) return <>{text}</>
  return (
    <a href={link} {...outside} aria-label={`${what}, ${text} in the explorer`}>
      {text}
    </a>
  )
}

/** A copy button with a link to the explorer. */
export const HexAndLink = (props: Props) => (
  <>
    <Hex hex={props.hex} what={props.what} /> <ExplorerLink {...props} />
  </>
)

/** Whether the Tab key stops there. */
type Stop = { readonly tabIndex?: 0 | -1 }

/** A link to the explorer if it has a page, otherwise a copy button. */
export const HexLink = ({ page, hex, what, tabIndex = 0 }: Props & Stop) => {
  const link = useLink(page, hex)
  if (link === null) return <Hex hex={hex} what={what} tabIndex={tabIndex} />
  return (
    <Tip text={() => `${what}\n${hex}\nOpens in the chain’s explorer.`}>
      <a
        class="hex"
        href={link}
        tabIndex={tabIndex}
        {...outside}
        aria-label={`${what} ${shortHex(hex)} in the explorer`}
      >
        {shortHex(hex)}
      </a>
    </Tip>
  )
}
