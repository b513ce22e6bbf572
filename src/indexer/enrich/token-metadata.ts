import { type Reading, unknown } from '../../domain/reading.ts'
import { readMetadata } from '../../domain/token/metadata.ts'
import { type Address, type Hex, nativeAddress } from '../../domain/units.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { StoredToken } from '../../ports/store-batches.ts'

/** symbol(), name(), decimals() of ERC-20. */
const selectors: readonly Hex[] = ['0x95d89b41', '0x06fdde03', '0x313ce567']

/** Tokens per request: a launchpad may open thousands of pools in one block. */
const tokensPerRead = 100

const missing: CallResult = { ok: false, reason: 'reverted' }

/** Native ETH has no contract. */
const nativeToken: StoredToken = {
  address: nativeAddress,
  symbol: { known: true, value: 'ETH' },
  name: { known: true, value: 'Ether' },
  decimals: { known: true, value: 18 },
}

const unread: Reading<number> = unknown('decimals-unread')

/** Reads the ERC-20 metadata of tokens, each once. */
export type TokenMetadataReader = {
  readonly request: (address: Address) => void
  readonly decimalsOf: (address: Address) => Reading<number>
  /** Reads all requested tokens. False if the calls failed; the tokens stay requested. */
  readonly refresh: () => Promise<boolean>
}

export const createTokenMetadataReader = (deps: {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly logger: Logger
  /** Of the tokens that are stored; the reader adds to it. */
  readonly decimals: Map<Address, Reading<number>>
}): TokenMetadataReader => {
  const { chain, store, logger, decimals } = deps
  const requested = new Set<Address>()

  const readBatch = async (
    addresses: readonly Address[],
  ): Promise<readonly StoredToken[] | null> => {
    const onChain = addresses.filter((address) => address !== nativeAddress)
    const calls = onChain.flatMap((to) => selectors.map((data) => ({ to, data })))
    const answers = await chain.callContracts(calls, 'latest')
    if (!answers.ok) {
      logger.warn('Failed to read token metadata, will retry', answers.fault)
      return null
    }
    const read = onChain.map((address, index) => {
      const [symbol = missing, name = missing, decimals = missing] = answers.value.slice(
        index * selectors.length,
      )
      return { address, ...readMetadata({ symbol, name, decimals }) }
    })
    return addresses.includes(nativeAddress) ? [...read, nativeToken] : read
  }

  return {
    request: (address) => {
      if (!decimals.has(address)) requested.add(address)
    },
    decimalsOf: (address) => decimals.get(address) ?? unread,
    refresh: async () => {
      while (requested.size > 0) {
        const batch = [...requested].slice(0, tokensPerRead)
        const read = await readBatch(batch)
        if (read === null) return false
        await store.recordTokens(read)
        for (const token of read) {
          decimals.set(token.address, token.decimals)
          requested.delete(token.address)
        }
      }
      return true
    },
  }
}
