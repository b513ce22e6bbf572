import { type Address, encodeAbiParameters, getCreate2Address, type Hex, keccak256 } from 'viem'
import { type HookName, type PoolSpec, v4 } from './pool-table.ts'
import { nativeAddress, type TokenSpec } from './tokens.ts'
import { poolOriginOf, type VenueContracts } from './venues.ts'

/** Plain data, stored as is in the manifest and in the saved world. */
export type Position = {
  readonly tickLower: number
  readonly tickUpper: number
  /** v4 only; zero for v3. */
  readonly salt: Hex
  /** Core positions are never removed. */
  readonly core: boolean
  /** Expected liquidity as a decimal string; the chain is authoritative. */
  liquidity: string
}

export type PoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/** `PoolKey` for ABIs in human-readable form. */
export const keyStruct = [
  'struct Key {',
  'address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks;',
  '}',
].join(' ')

export type Pool = {
  readonly spec: PoolSpec
  /** v3: the pool's address; v4: the PoolId. Lowercase. */
  readonly id: Hex
  readonly key: PoolKey
  /** Token keys in the pool's own order. */
  readonly token0: string
  readonly token1: string
  readonly positions: Position[]
  createdTs: number | null
  drainedTs: number | null
}

type PoolContracts = VenueContracts & {
  readonly hooks: Readonly<Record<HookName, Address>>
}

type KeyedToken = { readonly spec: Pick<TokenSpec, 'key'>; readonly address: Address }

export function buildPool(
  spec: PoolSpec,
  a: KeyedToken,
  b: KeyedToken,
  contracts: PoolContracts,
): Pool {
  const [first, second] = BigInt(a.address) < BigInt(b.address) ? [a, b] : [b, a]
  const key: PoolKey = {
    currency0: first.address,
    currency1: second.address,
    fee: spec.fee,
    tickSpacing: spec.tickSpacing,
    hooks: spec.hook ? contracts.hooks[spec.hook] : nativeAddress,
  }
  return {
    spec,
    id:
      spec.version === 'v3'
        ? v3PoolAddress(poolOriginOf(contracts, spec.venue), saltOf(spec, key, contracts))
        : v4PoolId(key),
    key,
    token0: first.spec.key,
    token1: second.spec.key,
    positions: [],
    createdTs: null,
    drainedTs: null,
  }
}

/**
 * Of UniswapV3PoolDeployer: tokens and fee, or tick spacing. Of AlgebraPoolDeployer: the tokens,
 * after the deployer of a custom pool.
 */
function saltOf(spec: PoolSpec, key: PoolKey, { algebraCustomPools }: PoolContracts): Hex {
  const { currency0, currency1, fee, tickSpacing } = key
  const addresses = [...(isCustom(spec) ? [algebraCustomPools] : []), currency0, currency1]
  const last = { 'Algebra Integral': [], Slipstream: [tickSpacing] }[String(spec.venue)] ?? [fee]
  const lastType = spec.venue === 'Slipstream' ? 'int24' : 'uint24'
  const types = [...addresses.map(() => 'address'), ...last.map(() => lastType)]
  const parameters = types.map((type) => ({ type }))
  return keccak256(encodeAbiParameters(parameters, [...addresses, ...last]))
}

/** Whether it is a custom pool of Algebra. */
export const isCustom = ({ roles }: Pick<PoolSpec, 'roles'>): boolean =>
  roles.includes('custom-pool')

const v3PoolAddress = (origin: ReturnType<typeof poolOriginOf>, salt: Hex): Hex =>
  getCreate2Address({ ...origin, salt }).toLowerCase() as Hex

/** keccak256(abi.encode(key)), v4-core PoolId. */
function v4PoolId(key: PoolKey): Hex {
  const types = ['address', 'address', 'uint24', 'int24', 'address']
  const values = [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks]
  return keccak256(
    encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    ),
  )
}

/** The pool of a meme that is launched while the sandbox runs. */
export const launchSpec = (meme: string, stock: string, fee: number, depthUsd: number): PoolSpec =>
  v4(meme, stock, [fee, 200], depthUsd, { flow: 0.5, roles: ['launched-live'] })
