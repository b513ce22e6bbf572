import type { Stock } from '../../src/client/types.ts'
import { formatExact, formatInteger, formatUsd, formatUsdPrice } from '../format/number.ts'
import { formatTs } from '../format/time.ts'
import { Age } from '../parts/age.tsx'
import { Fact, Figure } from '../parts/figure.tsx'
import { Hex } from '../parts/hex.tsx'
import { sessionWords } from '../words/reasons.ts'

type Props = { readonly stock: Stock }

/** 1.000000000000000000 -> 1 */
const plainMultiplier = (text: string | null): string =>
  text === null ? 'not known' : text.replace(/\.?0+$/, '')

const Pending = ({ stock }: Props) =>
  stock.pendingMultiplier === null ? null : (
    <Fact name="Announced">
      {plainMultiplier(stock.pendingMultiplier)} from {formatTs(stock.multiplierEffectiveTs)}
    </Fact>
  )

const yesNo = (value: boolean | null): string => {
  if (value === null) return 'not known'
  return value ? 'yes' : 'no'
}

const Prices = ({ stock }: Props) => {
  const quoteSource = `Quote by ${stock.quoteSource ?? 'nobody'}.`
  const price = (usd: number | null, source: string, ts: number | null) => (
    <Figure exact={`$${formatExact(usd)}`} source={source} ts={ts}>
      {formatUsdPrice(usd)}
    </Figure>
  )
  return (
    <section class="panel">
      <h2>Reference</h2>
      <dl>
        <Fact name="Per share">{price(stock.quoteUsd, quoteSource, stock.quoteTs)}</Fact>
        <Fact name="Bid / ask">
          {formatUsdPrice(stock.quoteBid)} / {formatUsdPrice(stock.quoteAsk)}
        </Fact>
        <Fact name="Shares per token">{plainMultiplier(stock.multiplier)}</Fact>
        <Pending stock={stock} />
        <Fact name="Per token">
          {price(stock.tokenUsd, `${quoteSource} Times the multiplier.`, stock.quoteTs)}
        </Fact>
        <Fact name="Oracle">{price(stock.oracleUsd, 'Chainlink, per token.', stock.oracleTs)}</Fact>
        <Fact name="Quote of">
          <Age ts={stock.quoteTs} />
        </Fact>
      </dl>
    </section>
  )
}

export const StockFacts = ({ stock }: Props) => (
  <>
    <Prices stock={stock} />
    <section class="panel">
      <h2>Market</h2>
      <dl>
        <Fact name="Session">{sessionWords[stock.marketSession]}</Fact>
        <Fact name="Trading halt">{yesNo(stock.tradingHalt)}</Fact>
        <Fact name="Oracle paused">{yesNo(stock.oraclePaused)}</Fact>
        <Fact name="Liquidity">{formatUsd(stock.liquidityUsd)}</Fact>
        <Fact name="Volume 24 h">{formatUsd(stock.vol24hUsd)}</Fact>
        <Fact name="Pools">
          {formatInteger(stock.pools.total)}, {formatInteger(stock.pools.active)} active
        </Fact>
        <Fact name="Token">
          <Hex hex={stock.address} what="stock token" />
        </Fact>
      </dl>
    </section>
  </>
)
