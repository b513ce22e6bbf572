import { shortHex } from '../format/text.ts'
import { type ExplorerPage, explorerLink } from '../live/explorer-link.ts'
import { useNetwork } from '../live/network.ts'
import { Hex } from './hex.tsx'
import { Tip } from './tip.tsx'

type Props = {
  /** Null: explorers have no page for it. */
  readonly page: ExplorerPage | null
  readonly hex: string
  /** What it is, in words. */
  readonly what: string
}

const useLink = (page: ExplorerPage | null, hex: string): string | null => {
  const network = useNetwork()
  return page === null ? null : explorerLink(network?.explorerUrl ?? null, page, hex)
}

/** Its own tab, which learns nothing of this page. */
const outside = { target: '_blank', rel: 'noopener noreferrer' } as const

/** The way to the chain's explorer; nothing where the network names none. */
export const ExplorerLink = ({ page, hex, what }: Props) => {
  const link = useLink(page, hex)
  if (link === null) return null
  return (
    <Tip tell={() => `${what} in the chain’s explorer\n${link}`}>
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

/** To be copied, and beside it the way to the explorer. */
export const HexAndLink = (props: Props) => (
  <>
    <Hex hex={props.hex} what={props.what} /> <ExplorerLink {...props} />
  </>
)

/** One thing to click where there are many: the explorer's page if there is one, else a copy. */
export const HexLink = ({ page, hex, what }: Props) => {
  const link = useLink(page, hex)
  if (link === null) return <Hex hex={hex} what={what} />
  return (
    <Tip tell={() => `${what}\n${hex}\nOpens in the chain’s explorer.`}>
      <a
        class="hex"
        href={link}
        {...outside}
        aria-label={`${what} ${shortHex(hex)} in the explorer`}
      >
        {shortHex(hex)}
      </a>
    </Tip>
  )
}
