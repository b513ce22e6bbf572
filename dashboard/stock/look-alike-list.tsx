import type { Pool, Stock } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ExplorerLink } from '../parts/explorer.tsx'
import { isLookAlike } from '../pools/look-alikes.ts'

const refreshSeconds = 120
const searchRows = 50

/** Tokens with the stock's name that are not the stock, without duplicates. */
const readLookAlikes = async (symbol: string, signal: AbortSignal): Promise<readonly Pool[]> => {
  const { items } = await api.pools({ q: symbol, kind: 'meme', limit: searchRows }, { signal })
  const names = new Set([symbol])
  const found = items.filter((pool) => isLookAlike(pool, names))
  const named = found.filter(({ otherSymbol }) => otherSymbol?.toUpperCase().includes(symbol))
  return [...new Map(named.map((pool) => [pool.otherAddress, pool])).values()]
}

/** Null while they are not known. A failure is no reason to show nothing. */
export const useLookAlikes = (symbol: string): readonly Pool[] | null => {
  const ask = (signal: AbortSignal) => readLookAlikes(symbol, signal)
  const { value, waiting, error } = useAnswer({ key: symbol, ask, everySeconds: refreshSeconds })
  return waiting && error === null ? null : (value ?? [])
}

type ListProps = { readonly stock: Stock; readonly lookAlikes: readonly Pool[] }

/** Lists tokens that imitate the stock's symbol. */
export const LookAlikes = ({ stock, lookAlikes }: ListProps) => {
  if (lookAlikes.length === 0) return null
  return (
    <div class="warning" role="note">
      <p>
        <b>Look-alikes.</b> Only <code>{stock.address}</code> is {stock.symbol}. These tokens have
        the same name but are other tokens:
      </p>
      <ul>
        {lookAlikes.map((pool) => (
          <li key={pool.id}>
            <bdi>{pool.otherSymbol}</bdi> <code>{pool.otherAddress}</code>{' '}
            <ExplorerLink page="token" hex={pool.otherAddress} what="look-alike token" />{' '}
            <a href={`/pools/${pool.id}`}>in this pool</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
