import { isDeepStrictEqual } from 'node:util'
import {
  beaconSlot,
  readStockAnswers,
  stockStateCalls,
  toStockOnChain,
} from '../../src/domain/stock/onchain-calls.ts'
import { type MetadataAnswer, readMetadata } from '../../src/domain/token/metadata.ts'
import { type Address, type Hex, nativeAddress } from '../../src/domain/units.ts'
import type { Store } from '../../src/ports/store.ts'
import { allOf } from '../store-contract/fixtures.ts'
import { sampleNetwork } from '../support/indexer/market.ts'
import type { SimBlock } from './sim-chain.ts'
import type { Contracts } from './sim-contracts.ts'

/* Compares tokens and stocks of a store with what their contracts say. */

/** Return data beyond this is no text of an honest token (src/rpc/contract-reads.ts). */
const dataCharsMax = 2 + 2 * 64 * 1024

const selectors = { symbol: '0x95d89b41', name: '0x06fdde03', decimals: '0x313ce567' } as const

export const misread = async (
  store: Store,
  contracts: Contracts,
  at: SimBlock,
): Promise<readonly string[]> => {
  const answerOf = (to: Address, data: Hex): MetadataAnswer => {
    const answer = contracts.call(to, data, at)
    const isTooLarge = answer.ok && answer.data.length > dataCharsMax
    return isTooLarge ? { ok: false, reason: 'too-large' } : answer
  }
  const tokens = await allOf(store.readTokens())
  const { pools, stocks } = await store.snapshot(async (snapshot) => ({
    pools: await snapshot.poolsChangedAfter(-1),
    stocks: await snapshot.stocksChangedAfter(-1),
  }))
  const wanted = new Set(pools.flatMap(({ key }) => [key.token0, key.token1]))
  const stored = new Map(tokens.map((token) => [token.address, token]))
  const unread = [...wanted].filter((address) => address !== nativeAddress && !stored.has(address))
  const wrong = tokens.filter(({ address, symbol, name, decimals }) => {
    if (address === nativeAddress) return false
    const answers = {
      symbol: answerOf(address, selectors.symbol),
      name: answerOf(address, selectors.name),
      decimals: answerOf(address, selectors.decimals),
    }
    return !isDeepStrictEqual({ symbol, name, decimals }, readMetadata(answers))
  })
  const others = stocks.filter((stock) => {
    const standard = sampleNetwork.standardOf(stock.address)
    const calls = stockStateCalls(stock, standard)
    const answers = calls.map(({ to, data }) => contracts.call(to, data, at))
    const real = toStockOnChain(readStockAnswers(answers, stock, standard), {
      slot: contracts.storageAt(stock.address, beaconSlot),
      beacon: standard.beacon,
      readTs: stock.readTs ?? 0,
    })
    return stock.verdict !== real.verdict || stock.multiplier !== real.multiplier
  })
  return [
    ...unread.map((address) => `token ${address} was never read`),
    ...wrong.map(({ address, decimals }) => `token ${address}: ${JSON.stringify(decimals)}`),
    ...others.map(({ symbol, verdict }) => `stock ${symbol} is ${verdict}`),
  ]
}
