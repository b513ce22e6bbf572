import type { Stock } from '../../src/client/types.ts'
import { Tip } from '../parts/tip.tsx'
import { sessionWords } from '../words/reasons.ts'

type Props = { readonly stock: Pick<Stock, 'marketSession' | 'tradingHalt' | 'oraclePaused'> }

/** Trading session of the stock; a halt or a paused oracle takes precedence. */
export const Session = ({ stock }: Props) => {
  const { marketSession, tradingHalt, oraclePaused } = stock
  if (tradingHalt === true) {
    return (
      <Tip text={() => 'Trading of the stock is halted.'} class="chip danger">
        halted
      </Tip>
    )
  }
  if (oraclePaused === true) {
    return (
      <Tip text={() => 'The stock’s oracle is paused on the chain.'} class="chip danger">
        paused
      </Tip>
    )
  }
  return (
    <Tip text={() => `${sessionWords[marketSession]}.`} class={`chip session-${marketSession}`}>
      {marketSession}
    </Tip>
  )
}
