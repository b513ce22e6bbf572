import type { Pool, PoolDetail, Stock } from '../../src/client/types.ts'
import {
  dash,
  formatCompact,
  formatExact,
  formatFee,
  formatInteger,
  formatUsd,
  formatUsdPrice,
  formatYearly,
} from '../format/number.ts'
import { poolExplorerPage } from '../live/explorer-link.ts'
import { Age } from '../parts/age.tsx'
import { HexAndLink } from '../parts/explorer.tsx'
import { Fact, Figure } from '../parts/figure.tsx'
import {
  depthWords,
  feeWordsOf,
  hookWordsOf,
  reserveWords,
  reviewWords,
} from '../words/pool-words.ts'
import { quoteSourceText } from '../words/source-words.ts'
import { washWords } from '../words/wash-words.ts'

type Props = { readonly pool: Pool }

const worthOf = (amount: number | null, usd: number | null): number | null =>
  amount === null || usd === null ? null : amount * usd

/** The two sides of the pool by value. */
const Balance = ({ stock, other }: { readonly stock: number; readonly other: number }) => {
  const share = stock + other === 0 ? 50 : (stock / (stock + other)) * 100
  return (
    <svg class="shares" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-stock" width={share} height="4" />
      <rect class="share-other" x={share} width={100 - share} height="4" />
    </svg>
  )
}

export const Reserves = ({ pool }: Props) => {
  const { stockReserve, otherReserve, reserveSource, enrichedTs } = pool
  const source = `Reserves: ${reserveSource === null ? 'not known' : reserveWords[reserveSource]}.`
  const stockUsd = worthOf(stockReserve, pool.stockPriceUsd)
  const otherUsd = worthOf(otherReserve, pool.otherPriceUsd)
  const line = (field: 'stockReserve' | 'otherReserve', name: string, usd: number | null) => (
    <p class="reserve">
      <Figure exact={formatExact(pool[field])} source={source} ts={enrichedTs} field={field}>
        {formatCompact(pool[field])} <bdi>{name}</bdi>
      </Figure>
      <span class="mute">
        <Figure
          exact={`$${formatExact(usd)}`}
          source="Reserve times the token’s price."
          ts={enrichedTs}
        >
          {formatUsd(usd)}
        </Figure>
      </span>
    </p>
  )
  return (
    <section class="panel">
      <h2>Liquidity</h2>
      <p class="big">
        <Figure
          exact={`$${formatExact(pool.liquidityUsd)}`}
          source={source}
          ts={enrichedTs}
          field="liquidityUsd"
        >
          {formatUsd(pool.liquidityUsd)}
        </Figure>
      </p>
      {stockUsd === null || otherUsd === null ? null : (
        <Balance stock={stockUsd} other={otherUsd} />
      )}
      {line('stockReserve', pool.stockSymbol, stockUsd)}
      {line('otherReserve', pool.otherSymbol ?? 'other token', otherUsd)}
      <dl>
        <Fact name="Depth 2 %">
          <Figure
            exact={`$${formatExact(pool.depthUsd)}`}
            source={depthWords}
            ts={enrichedTs}
            field="depthUsd"
          >
            {formatUsd(pool.depthUsd)}
          </Figure>
        </Fact>
      </dl>
      {pool.kind === 'meme' ? (
        <p class="small">The meme side counts at most as much as the stock side.</p>
      ) : null}
    </section>
  )
}

type RulesProps = Props & Pick<PoolDetail, 'hookReview'>

export const Rules = ({ pool, hookReview }: RulesProps) => {
  const hooks = hookWordsOf(pool)
  return (
    <section class="panel">
      <h2>Fee and hooks</h2>
      <dl>
        <Fact name="Fee">
          <Figure source="Part of the pool’s key." field="fee">
            {pool.feeDynamic ? 'dynamic' : formatFee(pool.fee)}
          </Figure>
        </Fact>
        <Fact name="Fee of the last swap">
          <Figure source="Paid to liquidity providers." ts={pool.lastSwapTs} field="lastSwapFee">
            {pool.lastSwapFee === null ? dash : formatFee(pool.lastSwapFee)}
          </Figure>
        </Fact>
      </dl>
      <p>{feeWordsOf(pool)}</p>
      {hookReview === null ? (
        <p class="small">No hook: the rules of a swap cannot change.</p>
      ) : (
        <>
          <p>
            The hook <HexAndLink page="address" hex={pool.hooks ?? ''} what="hook" />
          </p>
          <p class="hook-review">
            {reviewWords[hookReview.verdict]}
            {hookReview.note === null ? null : <q>{hookReview.note}</q>}
          </p>
          <ul class="hooks">
            {hooks.map(({ name, words, risky }) => (
              <li key={name} class={risky ? 'risky' : ''}>
                {words} <code>{name}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const TradeFacts = ({ pool }: Props) => {
  const { stateTs, estimatedSwaps24h } = pool
  const leftOut = washWords(pool)
  const usd = (field: 'vol1hUsd' | 'vol24hUsd' | 'vol24hFilteredUsd', source: string) => (
    <Figure exact={`$${formatExact(pool[field])}`} source={source} ts={stateTs} field={field}>
      {formatUsd(pool[field])}
    </Figure>
  )
  return (
    <>
      <Fact name="Volume 1 h">{usd('vol1hUsd', 'Swaps of the last hour.')}</Fact>
      <Fact name="Volume 24 h">{usd('vol24hUsd', 'Swaps of the last day.')}</Fact>
      <Fact name="Without wash trades">
        {usd('vol24hFilteredUsd', 'By a published rule; known where traders are.')}
        {leftOut === null ? null : <span class="small"> {leftOut}</span>}
      </Fact>
      <Fact name="Traders 24 h">
        <Figure source="Senders of the transactions." ts={stateTs} field="traders24h">
          {formatInteger(pool.traders24h)}
        </Figure>
      </Fact>
      <Fact name="Swaps 24 h">
        <Figure
          source={`${estimatedSwaps24h} valued by the nearest reference.`}
          ts={stateTs}
          field="swaps24h"
        >
          {formatInteger(pool.swaps24h)}
        </Figure>
      </Fact>
      <Fact name="Fees to providers">
        <Figure
          exact={formatExact(pool.feeApr24h)}
          source="By the dollar in a range of 10 % either way, at the rate of the last day."
          ts={stateTs}
          field="feeApr24h"
        >
          {formatYearly(pool.feeApr24h)}
        </Figure>
      </Fact>
      <Fact name="Last swap">
        <Age ts={pool.lastSwapTs} field="lastSwapTs" />
      </Fact>
    </>
  )
}

const StateFacts = ({ pool }: Props) => {
  const { stateTs } = pool
  return (
    <>
      <Fact name="State as of">
        <Figure source="The indexed block." ts={stateTs} field="asOfBlock">
          #{formatInteger(pool.asOfBlock)}
        </Figure>
        , <Age ts={stateTs} field="stateTs" />
      </Fact>
      <Fact name="Created in block">
        <Figure source="Block of the pool’s first event." field="createdBlock">
          {formatInteger(pool.createdBlock)}
        </Figure>
      </Fact>
      <Fact name="Tick / spacing">
        <Figure source="State on the chain." ts={stateTs} field="tick">
          {pool.tick ?? dash}
        </Figure>{' '}
        /{' '}
        <Figure source="Part of the pool’s key." field="tickSpacing">
          {pool.tickSpacing}
        </Figure>
      </Fact>
    </>
  )
}

export const Facts = ({ pool }: Props) => (
  <section class="panel">
    <h2>Facts</h2>
    <dl>
      <TradeFacts pool={pool} />
      <StateFacts pool={pool} />
      <Fact name="Venue">{pool.venue}</Fact>
      <Fact name="Pool">
        <HexAndLink
          page={poolExplorerPage(pool.id)}
          hex={pool.id}
          what={pool.version === 'v4' ? 'pool id' : 'pool address'}
        />
      </Fact>
      <Fact name={`${pool.stockSymbol} token`}>
        <HexAndLink page="token" hex={pool.stockAddress} what="stock token" />
      </Fact>
      <Fact name="Other token">
        <HexAndLink page="token" hex={pool.otherAddress} what="other token" />
      </Fact>
    </dl>
  </section>
)

/** The reference of the pool's stock. */
export const Reference = ({ stock }: { readonly stock: Stock }) => (
  <section class="panel">
    <h2>Reference</h2>
    <dl>
      <Fact name="Per token">
        <Figure
          exact={`$${formatExact(stock.tokenUsd)}`}
          source={`${quoteSourceText(stock)}, times the multiplier.`}
          ts={stock.quoteTs}
        >
          {formatUsdPrice(stock.tokenUsd)}
        </Figure>
      </Fact>
      <Fact name="Oracle">
        <Figure exact={`$${formatExact(stock.oracleUsd)}`} source="Chainlink." ts={stock.oracleTs}>
          {formatUsdPrice(stock.oracleUsd)}
        </Figure>
      </Fact>
      <Fact name="Quote of">
        <Age ts={stock.quoteTs} />
      </Fact>
      <Fact name="Stock">
        <a href={`/stocks/${encodeURIComponent(stock.symbol)}`}>{stock.name}</a>
      </Fact>
    </dl>
  </section>
)
