import { createClient } from '../src/client/client.ts'
import type { SwapStep } from '../src/client/types.ts'

/*
 * The loop of a bot: holds the swaps of a stock's last ten minutes, exactly as the chain has them,
 * and asks what an order would get whenever the traders lean to one side. It runs on when the
 * service restarts or the chain replaces blocks. It trades nothing: `act` is yours.
 */

const [url = 'http://127.0.0.1:8787', symbol = 'NVDA'] = process.argv.slice(2)
const windowSeconds = 600
/** Net dollars of the window that are worth a look. */
const leanUsd = 1000
const orderUsd = 500

const client = createClient(url)
const now = () => Math.floor(Date.now() / 1000)

type Swap = Extract<SwapStep, { topic: 'swap' }>['data']
let held: readonly Swap[] = []

const apply = (step: SwapStep): void => {
  if (step.topic === 'swap')
    held = [...held.filter(({ ts }) => ts > now() - windowSeconds), step.data]
  else {
    const { afterBlock } = step.data
    held = held.filter(({ block }) => afterBlock !== null && block <= afterBlock)
  }
}

const signedUsd = ({ side, amountUsd }: Swap): number =>
  // `null` means that no trusted price was known at that time; it is never zero.
  amountUsd === null ? 0 : side === 'buy' ? amountUsd : -amountUsd

const act = async (side: 'buy' | 'sell'): Promise<void> => {
  const { quote, reasons } = await client.quoteStock(symbol, { side, usd: orderUsd })
  if (quote === null) console.log(`no order now: ${reasons.join(', ')}`)
  else {
    const price = quote.executionPriceUsd?.toFixed(4) ?? 'unknown'
    console.log(
      `would ${side} ${quote.stockAmount} ${symbol} at ${price} in ${quote.legs.length} pools`,
    )
  }
}

let lean: 'buy' | 'sell' | null = null
for await (const step of client.followSwaps({ symbol, from: now() - windowSeconds })) {
  apply(step)
  const net = held.reduce((sum, swap) => sum + signedUsd(swap), 0)
  const side = Math.abs(net) < leanUsd ? null : net > 0 ? 'buy' : 'sell'
  if (side === lean) continue
  lean = side
  console.log(`${held.length} swaps, net ${net.toFixed(2)} dollars`)
  if (side !== null) await act(side)
}
