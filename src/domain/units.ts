/** `0x`-prefixed lowercase hexadecimal text. */
export type Hex = `0x${string}`

/** A 20-byte account or contract address: 42 characters, lowercase. */
export type Address = Hex

/** A 32-byte hash: 66 characters, lowercase. */
export type Hash = Hex

/** v3: the pool's address (42 characters). v4: the PoolId (66 characters). Lowercase. */
export type PoolId = Hex

/** Whole seconds since 1970-01-01T00:00:00Z. The only unit of time inside the service. */
export type UnixSeconds = number

/** A block's height as the RPC counts it (on Orbit chains never the contracts' `block.number`). */
export type BlockNumber = number

/** Native ETH in a v4 pool key, by Uniswap's own convention. */
export const nativeAddress: Address = '0x0000000000000000000000000000000000000000'

/** Id in the registry of protocols, such as `uniswap-v3`. */
export type ProtocolId = string
