import { createClient } from '../src/client/client.ts'

/* Prints each swap when it is confirmed. The client reconnects and resumes by itself. */

const [url = 'http://127.0.0.1:8787', symbol] = process.argv.slice(2)
const client = createClient(url)
const filter = symbol === undefined ? {} : { symbol }

for await (const event of client.stream({ topics: ['swap'], ...filter })) {
  if (event.topic !== 'swap') continue
  const { ts, stockSymbol, side, stockAmount, amountUsd, poolId } = event.data
  // `null` means that no trusted price was known at that time; it is never zero.
  const dollars = amountUsd === null ? 'unknown' : `$${amountUsd.toFixed(2)}`
  console.log(new Date(ts * 1000).toISOString(), side, stockAmount, stockSymbol, dollars, poolId)
}
