import { CandlestickSeries, createChart } from 'lightweight-charts'

/*
 * Candles of a stock or a pool from the service's data feed (UDF), in TradingView's open-source
 * charts. Older ones load when the left edge is near. TradingView's Advanced Charts read the same
 * feed: `new Datafeeds.UDFCompatibleDatafeed('http://127.0.0.1:8787/udf')`.
 */

const parameters = new URLSearchParams(location.search)
const service = parameters.get('service') ?? 'http://127.0.0.1:8787'
const symbol = parameters.get('symbol') ?? 'NVDA'
const resolution = parameters.get('resolution') ?? '5'
const barsPerPage = 300
/** Fewer bars than this to the left of the view load the page before. */
const nearEdge = 20

const ask = async (path, query) => {
  const answer = await fetch(`${service}/udf/${path}?${new URLSearchParams(query)}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

/** The newest bars before `to`; none at the beginning of what is kept. */
const readBars = async (to) => {
  const range = { symbol, resolution, from: '0', to: String(to), countback: String(barsPerPage) }
  const history = await ask('history', range)
  if (history.s === 'no_data') {
    return history.nextTime === undefined ? [] : readBars(history.nextTime + 1)
  }
  const { t, o, h, l, c } = history
  return t.map((time, i) => ({
    time,
    open: o[i],
    high: h[i],
    low: l[i],
    close: c[i],
  }))
}

const status = document.querySelector('p')
const chart = createChart(document.querySelector('#chart'), {
  autoSize: true,
  timeScale: { timeVisible: true },
})
const series = chart.addSeries(CandlestickSeries)
let bars = []
let isLoading = false

const show = () => {
  series.setData(bars)
  status.textContent = `${symbol}: ${bars.length} candles, last ${bars.at(-1)?.close ?? 'unknown'}`
}

const loadOlder = async () => {
  const [oldest] = bars
  if (isLoading || oldest === undefined) return
  isLoading = true
  const older = await readBars(oldest.time)
  bars = [...older.filter(({ time }) => time < oldest.time), ...bars]
  show()
  isLoading = older.length === 0
}

try {
  const { description, pricescale } = await ask('symbols', { symbol })
  document.title = description
  const precision = Math.log10(pricescale)
  series.applyOptions({ priceFormat: { type: 'price', precision, minMove: 1 / pricescale } })
  bars = await readBars(Math.floor(Date.now() / 1000) + 1)
  show()
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < nearEdge) void loadOlder()
  })
} catch (error) {
  status.textContent = `The service does not answer: ${String(error)}`
}
