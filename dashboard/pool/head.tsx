import type { Pool } from '../../src/client/types.ts'
import { pricedBy } from '../chart/series.ts'
import { formatExact, formatPrice, formatUsdPrice } from '../format/number.ts'
import { ExplorerLink } from '../parts/explorer.tsx'
import { Figure } from '../parts/figure.tsx'
import { Premium } from '../parts/premium.tsx'
import { reasonsText, StatusBadge } from '../parts/status-badge.tsx'
import { Chips } from '../pools/pair.tsx'
import { reasonWords } from '../words/reasons.ts'

type Props = { readonly pool: Pool }

/** The price of the pool's stock, or of the meme in a meme pool. */
const MainPrice = ({ pool }: Props) => {
  const { stockPriceUsd, otherPriceUsd, stockPriceInOther, stateTs } = pool
  const isStock = pricedBy(pool.kind) === 'stock'
  const usd = isStock ? stockPriceUsd : otherPriceUsd
  const field = isStock ? 'stockPriceUsd' : 'otherPriceUsd'
  const other = pool.otherSymbol ?? 'other'
  const source = isStock
    ? 'The pool’s price times the other token’s reference.'
    : 'Implied: the stock’s reference divided by the pool’s price.'
  return (
    <p class="main-price">
      <span class="mute">
        <bdi>{isStock ? pool.stockSymbol : other}</bdi>
      </span>
      <Figure exact={`$${formatExact(usd)}`} source={source} ts={stateTs} field={field}>
        <b>{formatUsdPrice(usd)}</b>
      </Figure>
      {isStock ? <Premium {...pool} why={reasonsText(pool)} ts={stateTs} /> : null}
      <span class="mute in-other">
        1 {pool.stockSymbol} ={' '}
        <Figure
          exact={formatExact(stockPriceInOther)}
          source="The pool’s price on the chain."
          ts={stateTs}
          field="stockPriceInOther"
        >
          {formatPrice(stockPriceInOther)}
        </Figure>{' '}
        <bdi>{other}</bdi>
      </span>
    </p>
  )
}

const Warnings = ({ pool }: Props) => (
  <>
    {pool.otherImitates !== null ? (
      <p class="warning" role="note">
        <b>Look-alike.</b> The token <bdi>{pool.otherSymbol ?? 'here'}</bdi> imitates{' '}
        {pool.otherImitates} by its symbol or name, but it is another token. Its address is{' '}
        <code>{pool.otherAddress}</code>{' '}
        <ExplorerLink page="token" hex={pool.otherAddress} what="look-alike token" />.
      </p>
    ) : null}
    {pool.statusReasons.length === 0 ? null : (
      <ul class="reasons">
        {pool.statusReasons.map((reason) => (
          <li key={reason}>{reasonWords[reason]}</li>
        ))}
      </ul>
    )}
  </>
)

export const PoolHead = ({ pool }: Props) => {
  return (
    <section class="head">
      <p class="crumbs">
        <a href="/">Pools</a> ›{' '}
        <a href={`/stocks/${encodeURIComponent(pool.stockSymbol)}`}>{pool.stockSymbol}</a>
      </p>
      <div class="title-line">
        <h1>
          {pool.stockSymbol}
          <span class="mute slash">/</span>
          <bdi class="other-name">{pool.otherSymbol ?? 'unnamed'}</bdi>
        </h1>
        <Chips pool={pool} />
        <StatusBadge {...pool} />
      </div>
      <MainPrice pool={pool} />
      <Warnings pool={pool} />
    </section>
  )
}
