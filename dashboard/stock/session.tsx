import type { Stock } from '../../src/client/types.ts'
import { Tip } from '../parts/tip.tsx'
import { sessionWords } from '../words/reasons.ts'

type Props = { readonly stock: Pick<Stock, 'marketSession' | 'tradingHalt' | 'oraclePaused'> }

/** Whether the stock trades now; a halt or a pause outshouts the hour. */
export const Session = ({ stock }: Props) => {
  const { marketSession, tradingHalt, oraclePaused } = stock
  if (tradingHalt === true) {
    return (
      <Tip tell={() => 'Trading of the stock is halted.'} class="chip danger">
        halted
      </Tip>
    )
  }
  if (oraclePaused === true) {
    return (
      <Tip tell={() => 'The stock’s oracle is paused on the chain.'} class="chip danger">
        paused
      </Tip>
    )
  }
  return (
    <Tip tell={() => `${sessionWords[marketSession]}.`} class={`chip session-${marketSession}`}>
      {marketSession}
    </Tip>
  )
}
