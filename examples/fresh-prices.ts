import { createClient } from '../src/client/client.ts'

/* Prints the prices of a stock, leaving out the pools that the service does not vouch for. */

const [url = 'http://127.0.0.1:8787', symbol = 'NVDA'] = process.argv.slice(2)
const client = createClient(url)

const { stock } = await client.stock(symbol)
console.log(`${stock.symbol}: reference ${stock.tokenUsd ?? 'unknown'}, ${stock.dataStatus}`)

for await (const pool of client.eachPool({ symbol, kind: 'canonical' })) {
  if (pool.dataStatus !== 'fresh' || pool.stockPriceUsd === null) continue
  // While the market is closed there is no premium; the drift compares with the last quote.
  const premiumOrDrift = pool.premiumBps ?? pool.driftBps
  const distance = premiumOrDrift === null ? 'not comparable' : `${premiumOrDrift.toFixed(1)} bps`
  console.log(`${pool.id} ${pool.stockPriceUsd.toFixed(4)} ${distance}`)
}
