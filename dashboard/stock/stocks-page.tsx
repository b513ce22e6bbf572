import { useEffect, useState } from 'preact/hooks'
import type { Stock } from '../../src/client/types.ts'
import { formatExact, formatInteger, formatUsd, formatUsdPrice } from '../format/number.ts'
import { api } from '../live/api.ts'
import { indexedTsOf, useService } from '../live/service.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Age } from '../parts/age.tsx'
import { CellFigure } from '../parts/figure.tsx'
import { Nothing } from '../parts/notice.tsx'
import { Premium } from '../parts/premium.tsx'
import { Resolved } from '../parts/resolved.tsx'
import { reasonsText, StatusBadge } from '../parts/status-badge.tsx'
import { quoteSourceText } from '../words/source-words.ts'
import { Session } from './session.tsx'

const refreshSeconds = 20

/** Loads all stocks, a few hundred at most, and searches them locally. */
const readStocks = async (signal: AbortSignal): Promise<readonly Stock[]> => {
  const stocks: Stock[] = []
  for await (const stock of api.eachStock({}, { signal })) stocks.push(stock)
  return stocks
}

const matches = ({ symbol, name }: Stock, text: string): boolean =>
  `${symbol} ${name}`.toLowerCase().includes(text.trim().toLowerCase())

type RowProps = { readonly stock: Stock; readonly poolsTs: number | null }

/** Totals of the stock's pools. */
const PoolCells = ({ stock, poolsTs }: RowProps) => (
  <>
    <td class="num" data-name="Liquidity">
      <CellFigure
        exact={`$${formatExact(stock.liquidityUsd)}`}
        source="Sum of all its pools with known liquidity."
        ts={poolsTs}
      >
        {formatUsd(stock.liquidityUsd)}
      </CellFigure>
    </td>
    <td class="num" data-name="24 h">
      <CellFigure
        exact={`$${formatExact(stock.vol24hUsd)}`}
        source="Swaps of all its pools in the last day."
        ts={poolsTs}
      >
        {formatUsd(stock.vol24hUsd)}
      </CellFigure>
    </td>
    <td class="num" data-name="Pools">
      <CellFigure
        source={`Pools that hold the stock; ${formatInteger(stock.pools.active)} are active.`}
        ts={poolsTs}
      >
        {formatInteger(stock.pools.total)}
      </CellFigure>
    </td>
  </>
)

const Row = ({ stock, poolsTs }: RowProps) => (
  <tr>
    <th scope="row" class="name">
      <a class="row-link" href={`/stocks/${encodeURIComponent(stock.symbol)}`}>
        <b>{stock.symbol}</b>
      </a>
      <span class="mute name-cut">{stock.name}</span>
    </th>
    <td class="num" data-name="Reference">
      <CellFigure
        exact={`$${formatExact(stock.tokenUsd)}`}
        source={`Per token. ${quoteSourceText(stock)}.`}
        ts={stock.quoteTs}
      >
        {formatUsdPrice(stock.tokenUsd)}
      </CellFigure>
    </td>
    <td class="num" data-name="Pools’ price">
      <CellFigure source="The best canonical pool’s price." ts={poolsTs}>
        {formatUsdPrice(stock.poolPriceUsd)}
      </CellFigure>
    </td>
    <td class="num" data-name="Premium / drift">
      <Premium {...stock} why={reasonsText(stock)} ts={poolsTs} />
    </td>
    <PoolCells stock={stock} poolsTs={poolsTs} />
    <td data-name="Session">
      <Session stock={stock} />
    </td>
    <td class="num" data-name="Quote">
      <Age ts={stock.quoteTs} />
    </td>
    <td data-name="Data">
      <StatusBadge {...stock} />
    </td>
  </tr>
)

const columns = ['Stock', 'Reference', 'Pool price', 'Premium', 'Liquidity', 'Vol 24 h', 'Pools']

export const StocksPage = () => {
  const [text, setText] = useState('')
  const { status } = useService()
  const { value, error, ts } = useAnswer({
    key: 'all stocks',
    ask: readStocks,
    everySeconds: refreshSeconds,
  })
  useEffect(() => {
    document.title = 'Stocks · stockpools'
  }, [])
  if (value === null) return <Nothing error={error} what="stocks" />
  return (
    <section class="panel pools-panel">
      <h1 class="hidden">Tokenized stocks</h1>
      <search class="filters">
        <input
          type="search"
          class="search"
          placeholder="Search symbol or name"
          aria-label="Search stocks"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </search>
      <Resolved text={text} />
      <div class="table-scroll">
        <table class="pools">
          <caption class="hidden">Tokenized stocks</caption>
          <thead>
            <tr>
              {columns.map((name, at) => (
                <th key={name} scope="col" class={at === 0 ? '' : 'num'}>
                  {name}
                </th>
              ))}
              <th scope="col">Session</th>
              <th scope="col" class="num">
                Quote
              </th>
              <th scope="col">Data</th>
            </tr>
          </thead>
          <tbody>
            {value
              .filter((stock) => matches(stock, text))
              .map((stock) => (
                <Row key={stock.address} stock={stock} poolsTs={indexedTsOf(status, ts)} />
              ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
