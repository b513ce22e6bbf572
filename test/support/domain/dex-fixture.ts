import type { ChainLog } from '../../../src/domain/chain/log.ts'
import type { PoolEvent, PoolEventBody } from '../../../src/domain/pool/pool-event.ts'
import type { Address, Hash, PoolId } from '../../../src/domain/units.ts'

/** Arguments of the events below by the names of their ABI, as a general decoder returns them. */
export type EventArguments = {
  readonly id: Hash
  readonly pool: Address
  readonly token0: Address
  readonly token1: Address
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly newFee: number
  readonly protocolFee: number
  readonly protocolFeesToken0: bigint
  readonly protocolFeesToken1: bigint
  readonly feeProtocol0New: number
  readonly feeProtocol1New: number
  readonly communityFeeNew: number
  readonly overrideFee: number
  readonly pluginFee: number
  readonly pluginConfig: number
  readonly deployer: Address
  readonly dynamicLPFee: number
  readonly parameters: Hash
  readonly tickSpacing: number
  readonly hooks: Address
  readonly owner: Address
  readonly sender: Address
  readonly salt: Hash
  readonly recipient: Address
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly liquidityDelta: bigint
  readonly amount: bigint
  readonly amount0: bigint
  readonly amount1: bigint
}

export type ExpectedEvent = { readonly poolId: PoolId } & PoolEventBody

/** What the tests must know of a DEX to hold its decoder to the contract of the registry. */
export type ProtocolFixture = {
  /** Every event that the DEX decodes, as Solidity declares it. */
  readonly declarations: readonly string[]
  /** What each means: written down a second time, from the arguments of a general decoder. */
  readonly expectedEvents: Readonly<
    Record<string, (args: EventArguments, log: ChainLog) => ExpectedEvent>
  >
  /** A recorded swap and what it must be read as; its signs are the pool's. */
  readonly swap: { readonly log: ChainLog; readonly event: PoolEvent }
}
