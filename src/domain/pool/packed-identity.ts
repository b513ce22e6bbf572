import { protocols } from '../dex/registry.ts'
import { createMemo } from '../memo.ts'
import { type Address, nativeAddress, type ProtocolId } from '../units.ts'
import type { PoolPrice } from './pool-event.ts'
import type { PoolIdentity, PoolNumber } from './pool-state.ts'
import { createRecordReader, createRecordWriter, type RecordReader } from './record-bytes.ts'

/** What a pool is created with. */
export type PackedIdentity = {
  readonly identity: PoolIdentity
  readonly initial: PoolPrice | null
}

/**
 * Packs identities into records of some 60 bytes that begin with the id. Not the number: records
 * are found by it.
 */
export type IdentityPacking = {
  /** Valid until the next call. */
  readonly pack: (pool: PackedIdentity) => Uint8Array
  readonly unpack: (bytes: Uint8Array, from: number, number: PoolNumber) => PackedIdentity
}

/** More than any record takes. */
const recordBytesMax = 1024
const places = new Map(protocols.map(({ id }, place) => [id, place]))

const placeOf = (protocol: ProtocolId): number => {
  const place = places.get(protocol)
  if (place === undefined) throw new Error(`no protocol has the id ${protocol}`)
  return place
}

const valueAt = <T>(values: readonly T[], place: number): T => {
  const value = values[place]
  if (value === undefined) throw new Error(`packed pool refers to missing value ${place} of a list`)
  return value
}

/*
 * An address in a record: 0 for none, 1 with the address itself, else its place in the list plus 2.
 * Trusted tokens, stocks, venues and hooks recur and come into the list; addresses of one pool,
 * which anyone can make up, do not fill it.
 */
const listedFrom = 2
const listedMax = 16_384
/** An address recurs if it comes again before so many others. */
const recentMax = 512

type Addresses = {
  readonly codeOf: (address: Address | null) => number
  readonly at: (code: number) => Address
}

const createAddresses = (): Addresses => {
  const listed: Address[] = []
  const codes = new Map<Address, number>()
  const uses = createMemo(recentMax, (_: Address) => ({ count: 0 }))

  const isRecurring = (address: Address): boolean => {
    const use = uses(address)
    use.count += 1
    return use.count > 1 && listed.length < listedMax
  }

  return {
    codeOf: (address) => {
      if (address === null) return 0
      const known = codes.get(address)
      if (known !== undefined) return known
      if (!isRecurring(address)) return 1
      const code = listed.push(address) - 1 + listedFrom
      codes.set(address, code)
      return code
    },
    at: (code) => valueAt(listed, code - listedFrom),
  }
}

/** Shares one string per token between unpacked pools. */
const tokensMax = 4096
const sharedToken = createMemo(tokensMax, (token: Address) => token)

export const createIdentityPacking = (): IdentityPacking => {
  const addresses = createAddresses()
  const writer = createRecordWriter(recordBytesMax)

  const packAddress = (address: Address | null): void => {
    const code = addresses.codeOf(address)
    writer.integer(code)
    if (code === 1 && address !== null) writer.hex(address)
  }

  const unpackAddress = ({ integer, hex }: RecordReader): Address | null => {
    const code = integer()
    if (code === 0) return null
    return code === 1 ? sharedToken(hex()) : addresses.at(code)
  }

  return {
    pack: ({ identity, initial }) => {
      const { id, protocol, venue, key, createdBlock, createdTs } = identity
      writer.hex(id)
      const { deployer, parameters } = key
      const extras = (deployer ? 2 : 0) + (parameters ? 4 : 0)
      writer.integer(8 * placeOf(protocol) + extras + (initial === null ? 0 : 1))
      for (const address of [venue, key.token0, key.token1]) packAddress(address)
      writer.integer(key.fee)
      writer.signed(key.tickSpacing)
      packAddress(key.hooks)
      if (deployer) packAddress(deployer)
      if (parameters) writer.hex(parameters)
      writer.integer(createdBlock)
      writer.integer(createdTs)
      if (initial !== null) {
        writer.hex(`0x${initial.sqrtPriceX96.toString(16)}`)
        writer.signed(initial.tick)
      }
      return writer.take()
    },
    unpack: (bytes, from, number) => {
      const reader = createRecordReader(bytes, from)
      const { integer, signed, hex } = reader
      const address = (): Address => unpackAddress(reader) ?? nativeAddress
      const id = hex()
      const form = integer()
      const { id: protocol, version } = valueAt(protocols, Math.floor(form / 8))
      const identity: PoolIdentity = {
        number,
        id,
        version,
        protocol,
        venue: address(),
        key: {
          token0: address(),
          token1: address(),
          fee: integer(),
          tickSpacing: signed(),
          hooks: unpackAddress(reader),
          ...((form & 2) === 0 ? {} : { deployer: address() }),
          ...((form & 4) === 0 ? {} : { parameters: hex() }),
        },
        createdBlock: integer(),
        createdTs: integer(),
      }
      const initial = form % 2 === 0 ? null : { sqrtPriceX96: BigInt(hex()), tick: signed() }
      return { identity, initial }
    },
  }
}
