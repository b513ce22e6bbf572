import type { Provenance } from '../../src/client/types.ts'
import { Hex } from '../parts/hex.tsx'
import { useCopy } from '../parts/use-copy.ts'

type Props = {
  readonly answer: Provenance
  readonly entry: Provenance['fields'][number]
}

/** `3-references-and-dollar-prices` -> `§3 references and dollar prices` */
const sectionWords = (section: string): string => `§${section.replaceAll('-', ' ')}`

/** Checks the pool by a node of the reader's (docs/verification.md). */
const Command = ({ poolId }: Pick<Provenance, 'poolId'>) => {
  const command = `stockpools verify ${poolId} --rpc https://your.node --api ${location.origin}`
  const { copied, copy } = useCopy(command)
  return (
    <li class="command">
      <code>{command}</code>{' '}
      <button type="button" class="step" aria-label="Copy the command" onClick={copy}>
        {copied ? 'copied' : 'copy'}
      </button>
    </li>
  )
}

/** Ways to make the number again. */
export const CheckIt = ({ answer, entry }: Props) => {
  const { poolId, methodologyVersion, asOfHash } = answer
  const source = `/api/v1/pools/${poolId}/provenance?field=${entry.field}`
  return (
    <ul class="checks">
      <Command poolId={poolId} />
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
