import type { Pool } from '../../src/client/types.ts'
import { Tip } from '../parts/tip.tsx'
import { feeChipOf, feeWordsOf, hookWordsOf, isHighFee, kindWords } from '../words/pool-words.ts'

/** The two tokens of a pool; their names are untrusted text. */
export const Pair = ({ pool }: { readonly pool: Pool }) => (
  <span class="pair">
    <b>{pool.stockSymbol}</b>
    <span class="mute slash">/</span>
    <bdi class="other-name">{pool.otherSymbol ?? 'unnamed'}</bdi>
  </span>
)

const lookAlikeText = ({ otherImitates, otherAddress }: Pool): string =>
  `Imitates ${otherImitates}, but is another token:\n${otherAddress}`

/** Kind of the pool and its warnings. */
export const Chips = ({ pool }: { readonly pool: Pool }) => {
  const hooks = hookWordsOf(pool)
  const risky = hooks.some(({ risky: isRisky }) => isRisky)
  return (
    <span class="chips">
      {pool.otherImitates !== null ? (
        <Tip text={() => lookAlikeText(pool)} class="chip danger">
          look-alike
        </Tip>
      ) : null}
      <Tip text={() => pool.venue} class="chip">
        {pool.version}
      </Tip>
      <Tip text={() => feeWordsOf(pool)} class={isHighFee(pool) ? 'chip danger' : 'chip'}>
        {feeChipOf(pool)}
      </Tip>
      <Tip text={() => kindWords[pool.kind]} class={`chip kind-${pool.kind}`}>
        {pool.kind}
      </Tip>
      {hooks.length > 0 ? (
        <Tip
          text={() => `The hook ${hooks.map(({ words }) => words).join(';\n')}.`}
          class={`chip ${risky ? 'danger' : ''}`}
        >
          hook
        </Tip>
      ) : null}
      {pool.hot ? (
        <Tip text={() => 'Hot: traded within minutes, with volume or depth.'} class="chip hot">
          hot
        </Tip>
      ) : null}
    </span>
  )
}
