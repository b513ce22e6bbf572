import type { Pool } from '../../src/client/types.ts'
import { Tip } from '../parts/tip.tsx'
import { feeChipOf, feeWordsOf, hookWordsOf, isHighFee, kindWords } from '../words/pool-words.ts'

/** The two tokens; names are text that anybody may have chosen. */
export const Pair = ({ pool }: { readonly pool: Pool }) => (
  <span class="pair">
    <b>{pool.stockSymbol}</b>
    <span class="mute slash">/</span>
    <bdi class="other-name">{pool.otherSymbol ?? 'unnamed'}</bdi>
  </span>
)

const lookAlikeText = (pool: Pool): string =>
  `Calls itself ${pool.otherSymbol}, but is another token:\n${pool.otherAddress}`

/** What kind of pool it is, and what to beware of. */
export const Chips = ({
  pool,
  lookAlike,
}: {
  readonly pool: Pool
  readonly lookAlike: boolean
}) => {
  const hooks = hookWordsOf(pool)
  const risky = hooks.some(({ risky: isRisky }) => isRisky)
  return (
    <span class="chips">
      {lookAlike ? (
        <Tip tell={() => lookAlikeText(pool)} class="chip danger">
          look-alike
        </Tip>
      ) : null}
      <span class="chip">{pool.version}</span>
      <Tip tell={() => feeWordsOf(pool)} class={isHighFee(pool) ? 'chip danger' : 'chip'}>
        {feeChipOf(pool)}
      </Tip>
      <Tip tell={() => kindWords[pool.kind]} class={`chip kind-${pool.kind}`}>
        {pool.kind}
      </Tip>
      {hooks.length > 0 ? (
        <Tip
          tell={() => `The hook ${hooks.map(({ words }) => words).join(';\n')}.`}
          class={`chip ${risky ? 'danger' : ''}`}
        >
          hook
        </Tip>
      ) : null}
      {pool.hot ? (
        <Tip tell={() => 'Hot: traded within minutes, with volume or depth.'} class="chip hot">
          hot
        </Tip>
      ) : null}
    </span>
  )
}
