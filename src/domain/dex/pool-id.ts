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

/** Inputs of the CREATE2 address of a pool of Uniswap v3 or of a copy of it. */
export type PoolDeployment = Pick<PoolKey, 'token0' | 'token1' | 'fee'> & {
  /** The contract that creates the pools: the factory, or its pool deployer. */
  readonly deployer: Address
  /** keccak256 of the pool's creation code. */
  readonly initCodeHash: Hash
}

/** The v3 pool's address by CREATE2 (EIP-1014; v3-core UniswapV3PoolDeployer). */
export const computePoolAddress = (deployment: PoolDeployment, keccak256: Keccak256): PoolId => {
  const { deployer, initCodeHash, token0, token1, fee } = deployment
  const salt = keccak256(bytesOf(addressWord(token0) + addressWord(token1) + uint24Word(fee)))
  const digest = keccak256(
    bytesOf(`ff${digitsOf(deployer)}${digitsOf(salt)}${digitsOf(initCodeHash)}`),
  )
  return `0x${digest.slice(-40)}`
}
