import { createClient } from '../src/client/client.ts'

/* Prints each swap when it is confirmed, across restarts of the service; none is missed. */

const [url = 'http://127.0.0.1:8787', symbol] = process.argv.slice(2)
const client = createClient(url)

for await (const { topic, data } of client.followSwaps(symbol === undefined ? {} : { symbol })) {
  if (topic === 'rollback') {
    console.log(`The chain replaced its blocks above ${data.afterBlock}; their swaps are void.`)
    continue
  }
  const { ts, stockSymbol, side, stockAmount, amountUsd, poolId } = data
  // `null` means that no trusted price was known at that time; it is never zero.
  const dollars = amountUsd === null ? 'unknown' : `$${amountUsd.toFixed(2)}`
  console.log(new Date(ts * 1000).toISOString(), side, stockAmount, stockSymbol, dollars, poolId)
}
