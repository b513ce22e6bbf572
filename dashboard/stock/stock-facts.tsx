import type { Stock } from '../../src/client/types.ts'
import { formatExact, formatInteger, formatUsd, formatUsdPrice } from '../format/number.ts'
import { formatTs } from '../format/time.ts'
import { Age } from '../parts/age.tsx'
import { HexAndLink } from '../parts/explorer.tsx'
import { Fact, Figure } from '../parts/figure.tsx'
import { sessionWords } from '../words/reasons.ts'
import { quoteSourceText } from '../words/source-words.ts'
import { washWords } from '../words/wash-words.ts'

type Props = { readonly stock: Stock }
type FactsProps = Props & {
  /** Time of the pools' numbers. */
  readonly poolsTs: number | null
}

/** 1.000000000000000000 -> 1 */
const plainMultiplier = (text: string | null): string =>
  text === null ? 'not known' : text.replace(/\.?0+$/, '')

/** A multiplier does not age; it holds until the contract announces another. */
const inForceText = ({ pendingMultiplier, multiplierEffectiveTs }: Stock): string => {
  if (pendingMultiplier !== null || multiplierEffectiveTs === null) return 'In force now.'
  return multiplierEffectiveTs === 0
    ? 'In force since deployment.'
    : `In force since ${formatTs(multiplierEffectiveTs)}.`
}

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
  const quoteSource = `${quoteSourceText(stock)}.`
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
          {price(stock.quoteBid, `Bid. ${quoteSource}`, stock.quoteTs)} /{' '}
          {price(stock.quoteAsk, `Ask. ${quoteSource}`, stock.quoteTs)}
        </Fact>
        <Fact name="Shares per token">
          <Figure
            exact={stock.multiplier ?? 'not known'}
            source={`From the token’s contract. ${inForceText(stock)}`}
          >
            {plainMultiplier(stock.multiplier)}
          </Figure>
        </Fact>
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

const Market = ({ stock, poolsTs }: FactsProps) => {
  const { total, active } = stock.pools
  const leftOut = washWords(stock)
  const usd = (value: number | null, source: string) => (
    <Figure exact={`$${formatExact(value)}`} source={source} ts={poolsTs}>
      {formatUsd(value)}
    </Figure>
  )
  const count = (value: number, source: string) => (
    <Figure source={source} ts={poolsTs}>
      {formatInteger(value)}
    </Figure>
  )
  return (
    <section class="panel">
      <h2>Market</h2>
      <dl>
        <Fact name="Session">{sessionWords[stock.marketSession]}</Fact>
        <Fact name="Trading halt">{yesNo(stock.tradingHalt)}</Fact>
        <Fact name="Oracle paused">{yesNo(stock.oraclePaused)}</Fact>
        <Fact name="Liquidity">
          {usd(stock.liquidityUsd, 'Sum of all its pools with known liquidity.')}
        </Fact>
        <Fact name="Volume 24 h">
          {usd(stock.vol24hUsd, 'Swaps of all its pools in the last day.')}
        </Fact>
        <Fact name="Without wash trades">
          {usd(stock.vol24hFilteredUsd, 'By a published rule, of pools with known traders.')}
          {leftOut === null ? null : <span class="small"> {leftOut}</span>}
        </Fact>
        <Fact name="Pools">
          {count(total, 'All pools that hold the stock.')},{' '}
          {count(active, 'Traded within a week, with liquidity in range.')} active
        </Fact>
        <Fact name="Token">
          <HexAndLink page="token" hex={stock.address} what="stock token" />
        </Fact>
      </dl>
    </section>
  )
}

export const StockFacts = (props: FactsProps) => (
  <>
    <Prices stock={props.stock} />
    <Market {...props} />
  </>
)
