import type { Provenance } from '../../src/client/types.ts'
import { Hex } from '../parts/hex.tsx'

type Props = {
  readonly answer: Provenance
  readonly entry: Provenance['fields'][number]
}

/** `3-references-and-dollar-prices` -> `§3 references and dollar prices` */
const sectionWords = (section: string): string => `§${section.replaceAll('-', ' ')}`

/** Ways to make the number again. */
export const CheckIt = ({ answer, entry }: Props) => {
  const { poolId, methodologyVersion, asOfHash } = answer
  const source = `/api/v1/pools/${poolId}/provenance?field=${entry.field}`
  return (
    <ul class="checks">
      <li>
        Methodology {methodologyVersion} (docs/methodology.md), {sectionWords(entry.section)}
      </li>
      {asOfHash === null ? null : (
        <li>
          Block hash <Hex hex={asOfHash} what="hash of the answer’s block" />
        </li>
      )}
      <li>
        <a href={source} target="_blank" rel="noopener">
          This as JSON
        </a>
        ,{' '}
        <a href="/api/v1/methodology" target="_blank" rel="noopener">
          parameters of the methodology
        </a>
      </li>
    </ul>
  )
}
