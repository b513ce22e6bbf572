import { type Reading, unknown } from '../../domain/reading.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import {
  hasUnanswered,
  isFullyKnown,
  mergeMetadata,
  readMetadata,
} from '../../domain/token/metadata.ts'
import { type Address, type Hex, nativeAddress, type UnixSeconds } from '../../domain/units.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { StoredToken } from '../../ports/store-batches.ts'
import { createSteadyClock } from '../../util/steady-clock.ts'
import type { ReadConfirmedBlock } from '../confirmed-block.ts'
import { createDueQueue, type DueQueue } from './due-queue.ts'

/** symbol(), name(), decimals() of ERC-20. */
const selectors: readonly Hex[] = ['0x95d89b41', '0x06fdde03', '0x313ce567']

/** Tokens per request: a launchpad may open thousands of pools in one block. */
const tokensPerRead = 100
/** A token whose calls the node refused is read again after this, each time twice as long. */
const retrySecondsFirst = 10
const retrySecondsMax = secondsPerHour
/** What a contract does not say today it may say tomorrow: a proxy gets its code later. */
const rereadSeconds = secondsPerDay

const missing: CallResult = { ok: false, reason: 'unanswered' }

/** Native ETH has no contract. */
const nativeToken: StoredToken = {
  address: nativeAddress,
  symbol: { known: true, value: 'ETH' },
  name: { known: true, value: 'Ether' },
  decimals: { known: true, value: 18 },
}

const unreadDecimals: Reading<number> = unknown('decimals-unread')

/** A token to read; `refusals` counts the readings in a row that the node refused. */
type Request = {
  readonly dueTs: UnixSeconds
  readonly refusals: number
  readonly stored: StoredToken | null
}

const firstRequest: Request = { dueTs: 0, refusals: 0, stored: null }

/** Until a token with an unknown field is read again. */
const waitSeconds = (refusals: number): number =>
  refusals === 0
    ? rereadSeconds
    : Math.min(retrySecondsMax, retrySecondsFirst * 2 ** (refusals - 1))

/** Reads the ERC-20 metadata of tokens until every field is known. */
export type TokenMetadataReader = {
  readonly request: (address: Address) => void
  readonly decimalsOf: (address: Address) => Reading<number>
  /** Reads the requested tokens that are due. False if the calls failed; they stay requested. */
  readonly refresh: () => Promise<boolean>
}

type Deps = {
  readonly chain: ChainReader
  readonly store: StoreWriter
  readonly clock: Clock
  readonly logger: Logger
  readonly confirmedBlock: ReadConfirmedBlock
  /** Of the tokens that are stored; the reader adds to it. */
  readonly decimals: Map<Address, Reading<number>>
  /** Stored tokens with an unknown field: they are read again after every start. */
  readonly unknownTokens: readonly StoredToken[]
}

const createBatchReader = ({ chain, logger, confirmedBlock }: Deps) => {
  /** Null if the calls failed. */
  const readOnChain = async (
    addresses: readonly Address[],
  ): Promise<readonly StoredToken[] | null> => {
    if (addresses.length === 0) return []
    const calls = addresses.flatMap((to) => selectors.map((data) => ({ to, data })))
    const at = await confirmedBlock()
    const answers = at.ok ? await chain.callContracts(calls, at.value, { confirmed: true }) : at
    if (!answers.ok) {
      logger.warn('Failed to read token metadata, will retry', answers.fault)
      return null
    }
    return addresses.map((address, index) => {
      const [symbol = missing, name = missing, decimals = missing] = answers.value.slice(
        index * selectors.length,
      )
      return { address, ...readMetadata({ symbol, name, decimals }) }
    })
  }

  return async (addresses: readonly Address[]): Promise<readonly StoredToken[] | null> => {
    const read = await readOnChain(addresses.filter((address) => address !== nativeAddress))
    return read !== null && addresses.includes(nativeAddress) ? [...read, nativeToken] : read
  }
}

export const createTokenMetadataReader = (deps: Deps): TokenMetadataReader => {
  const { store, decimals } = deps
  const clock = createSteadyClock(deps.clock)
  const readBatch = createBatchReader(deps)
  const requests = new Map<Address, Request>()
  /** The requested tokens, except those that are being read: never read ones and stored ones. */
  const unread = createDueQueue<Address>()
  const unknownStored = createDueQueue<Address>()

  const enqueue = (address: Address): void => {
    const { dueTs, stored } = requests.get(address) ?? firstRequest
    const queue = stored === null ? unread : unknownStored
    queue.add(address, dueTs)
  }

  const addRequest = (address: Address, request: Request): void => {
    requests.set(address, request)
    enqueue(address)
  }

  for (const stored of deps.unknownTokens) addRequest(stored.address, { ...firstRequest, stored })

  /** Writes what changed, and requests again what is still unknown. */
  const record = async (read: readonly StoredToken[]): Promise<void> => {
    const next = read.map((token) => {
      const { stored, refusals } = requests.get(token.address) ?? firstRequest
      const merged = stored === null ? token : { ...token, ...mergeMetadata(stored, token) }
      return { stored, merged, refusals: hasUnanswered(token) ? refusals + 1 : 0 }
    })
    const changed = next.filter(
      ({ stored, merged }) => JSON.stringify(merged) !== JSON.stringify(stored),
    )
    if (changed.length > 0) await store.recordTokens(changed.map(({ merged }) => merged))
    for (const { merged, refusals } of next) {
      decimals.set(merged.address, merged.decimals)
      const dueTs = clock.now() + waitSeconds(refusals)
      if (isFullyKnown(merged)) requests.delete(merged.address)
      else addRequest(merged.address, { dueTs, refusals, stored: merged })
    }
  }

  /** Null if no token is due. */
  const readDue = async (queue: DueQueue<Address>): Promise<boolean | null> => {
    const addresses = queue.takeDue(clock.now(), tokensPerRead)
    if (addresses.length === 0) return null
    let isRecorded = false
    try {
      const read = await readBatch(addresses)
      if (read === null) return false
      await record(read)
      isRecorded = true
      return true
    } finally {
      if (!isRecorded) for (const address of addresses) enqueue(address)
    }
  }

  return {
    request: (address) => {
      if (!decimals.has(address) && !requests.has(address)) addRequest(address, firstRequest)
    },
    decimalsOf: (address) => decimals.get(address) ?? unreadDecimals,
    refresh: async () => {
      for (let isRead = await readDue(unread); isRead !== null; isRead = await readDue(unread)) {
        if (!isRead) return false
      }
      // One batch per pass: a start with many unknown tokens must not hold up the new ones.
      return (await readDue(unknownStored)) ?? true
    },
  }
}
