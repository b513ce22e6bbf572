import type { PoolKey } from '../pool/pool-event.ts'
import { type Address, type Hash, type Hex, nativeAddress, type PoolId } from '../units.ts'

/** Injected, because the domain imports no packages. */
export type Keccak256 = (bytes: Uint8Array) => Hex

const wordDigits = 64
const int24Modulus = 2 ** 24

const digitsOf = (hex: Hex): string => hex.slice(2)

const bytesOf = (digits: string): Uint8Array => {
  const bytes = new Uint8Array(digits.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16)
  }
  return bytes
}

const addressWord = (address: Address): string => digitsOf(address).padStart(wordDigits, '0')

const uint24Word = (value: number): string => value.toString(16).padStart(wordDigits, '0')

const int24Word = (value: number): string =>
  value < 0
    ? (int24Modulus + value).toString(16).padStart(wordDigits, 'f')
    : value.toString(16).padStart(wordDigits, '0')

/**
 * The v4 PoolId: keccak256(abi.encode(PoolKey)) (v4-core types/PoolId.sol). A key without hooks
 * holds the zero address.
 */
export const computePoolId = (key: PoolKey, keccak256: Keccak256): PoolId =>
  keccak256(
    bytesOf(
      addressWord(key.token0) +
        addressWord(key.token1) +
        uint24Word(key.fee) +
        int24Word(key.tickSpacing) +
        addressWord(key.hooks ?? nativeAddress),
    ),
  )

/**
 * The PoolId of PancakeSwap Infinity: keccak256(abi.encode(PoolKey)) (infinity-core
 * types/PoolId.sol). Null for a key without its `parameters`, and for a manager that is not known,
 * the zero address.
 */
export const computeInfinityPoolId = (
  { token0, token1, hooks, fee, parameters }: PoolKey,
  poolManager: Address,
  keccak256: Keccak256,
): PoolId | null => {
  if (!parameters || poolManager === nativeAddress) return null
  const words = [
    ...[token0, token1, hooks ?? nativeAddress, poolManager].map(addressWord),
    uint24Word(fee),
    digitsOf(parameters),
  ]
  return keccak256(bytesOf(words.join('')))
}

/** Who creates a pool by CREATE2 (EIP-1014), and of which code. */
type Deployment = {
  /** The contract that creates the pools: the factory, or its pool deployer. */
  readonly deployer: Address
  /** keccak256 of the pool's creation code. */
  readonly initCodeHash: Hash
}

/** Inputs of the address of a pool of Uniswap v3 or of a copy of it. */
export type PoolDeployment = Deployment & Pick<PoolKey, 'token0' | 'token1' | 'fee'>

const create2Address = (
  { deployer, initCodeHash }: Deployment,
  saltWords: readonly string[],
  keccak256: Keccak256,
): PoolId => {
  const salt = keccak256(bytesOf(saltWords.join('')))
  const digest = keccak256(
    bytesOf(`ff${digitsOf(deployer)}${digitsOf(salt)}${digitsOf(initCodeHash)}`),
  )
  return `0x${digest.slice(-40)}`
}

/** The v3 pool's address (v3-core UniswapV3PoolDeployer). */
export const computePoolAddress = (deployment: PoolDeployment, keccak256: Keccak256): PoolId => {
  const { token0, token1, fee } = deployment
  const words = [addressWord(token0), addressWord(token1), uint24Word(fee)]
  return create2Address(deployment, words, keccak256)
}

/** The address of a pool whose factory has one for each tick spacing, whatever its fee. */
export const computeSpacedPoolAddress = (
  deployment: Deployment & Pick<PoolKey, 'token0' | 'token1' | 'tickSpacing'>,
  keccak256: Keccak256,
): PoolId => {
  const { token0, token1, tickSpacing } = deployment
  const words = [addressWord(token0), addressWord(token1), int24Word(tickSpacing)]
  return create2Address(deployment, words, keccak256)
}

/** keccak256 of the creation code of an EIP-1167 clone. */
export const cloneInitCodeHash = (implementation: Address, keccak256: Keccak256): Hash =>
  keccak256(
    bytesOf(
      `3d602d80600a3d3981f3363d3d373d3d3d363d73${digitsOf(implementation)}5af43d82803e903d91602b57fd5bf3`,
    ),
  )

/**
 * The address of a pool of Algebra, of which there is one for two tokens and one more for each
 * deployer of custom pools (Algebra: AlgebraPoolDeployer.deploy).
 */
export const computeAlgebraAddress = (
  { token0, token1, deployer }: Pick<PoolKey, 'token0' | 'token1' | 'deployer'>,
  deployment: Deployment,
  keccak256: Keccak256,
): PoolId => {
  const keys = [...(deployer === undefined ? [] : [deployer]), token0, token1]
  return create2Address(deployment, keys.map(addressWord), keccak256)
}
