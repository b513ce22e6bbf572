import type { ResolvedToken, Stock, UnverifiedToken } from '../../src/client/types.ts'
import { formatInteger } from '../format/number.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ExplorerLink } from '../parts/explorer.tsx'

const refreshSeconds = 120

type LookAlikesOfStock = Pick<ResolvedToken, 'lookAlikes' | 'lookAlikesTotal'>

const none: LookAlikesOfStock = { lookAlikes: [], lookAlikesTotal: 0 }

/** Null while they are not known. A failure is no reason to show nothing. */
export const useLookAlikes = (name: string): LookAlikesOfStock | null => {
  const ask = (signal: AbortSignal) => api.resolve(name, { signal })
  const { value, waiting, error } = useAnswer({ key: name, ask, everySeconds: refreshSeconds })
  return waiting && error === null ? null : (value ?? none)
}

const signWords = {
  same_symbol: 'the same symbol',
  confusable_symbol: 'a symbol that looks the same',
  same_name: 'the same name',
  confusable_name: 'a name that looks the same',
} as const

const signsOf = ({ imitates }: UnverifiedToken, { address }: Stock): string => {
  const own = imitates.find((each) => each.address === address) ?? imitates[0]
  return (own?.signs ?? []).map((sign) => signWords[sign]).join(' and ')
}

type ListProps = LookAlikesOfStock & { readonly stock: Stock }

/** Lists tokens that imitate the stock's symbol or name. */
export const LookAlikes = ({ stock, lookAlikes, lookAlikesTotal }: ListProps) => {
  if (lookAlikes.length === 0) return null
  const further = lookAlikesTotal - lookAlikes.length
  return (
    <div class="warning" role="note">
      <p>
        <b>Look-alikes.</b> Only <code>{stock.address}</code> is {stock.symbol}. These are other
        tokens:
      </p>
      <ul>
        {lookAlikes.map((token) => (
          <li key={token.address}>
            <bdi>{token.symbol ?? 'unnamed'}</bdi> <code>{token.address}</code>{' '}
            <ExplorerLink page="token" hex={token.address} what="look-alike token" /> has{' '}
            {signsOf(token, stock)}
            {token.poolId === null ? null : (
              <>
                , <a href={`/pools/${token.poolId}`}>in this pool</a>
              </>
            )}
          </li>
        ))}
      </ul>
      {further === 0 ? null : <p>And {formatInteger(further)} more.</p>}
    </div>
  )
}
