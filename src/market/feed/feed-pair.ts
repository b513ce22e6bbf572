import { isDynamicFee } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { venueNameOf } from '../../domain/dex/venue-name.ts'
import { feeOfKey } from '../../domain/pool/pool-fees.ts'
import type { Address } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { FeedAsset, FeedPair } from './feed.ts'

/** Null while the decimals of a token are not known: amounts have no size then. */
export const toFeedPair = (pool: ListedPool, venues: Venues): FeedPair | null => {
  const { id, token0, token1, parameters, createdBlock, createdTs } = pool
  if (!token0.decimals.known || !token1.decimals.known) return null
  const fee = feeOfKey(parameters)
  return {
    id,
    token0: token0.address,
    token1: token1.address,
    decimals0: token0.decimals.value,
    decimals1: token1.decimals.value,
    venue: venueNameOf(parameters, venues),
    fee: isDynamicFee(fee) ? null : fee,
    createdBlock,
    createdTs,
  }
}

/** A stock by the names of its registry. A token without a name has its address for one. */
export const readFeedAsset = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  address: Address,
): Promise<FeedAsset | null> => {
  const stock = model.stocks.get(address)
  if (stock?.verdict === 'verified') return { address, symbol: stock.symbol, name: stock.name }
  const token = await snapshot.token(address)
  if (token === null) return null
  const symbol = token.symbol.known ? token.symbol.value : address
  return { address, symbol, name: token.name.known ? token.name.value : symbol }
}
