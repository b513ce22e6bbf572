import {
  type Address,
  concatHex,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  hexToBytes,
  keccak256,
  toHex,
} from 'viem'
import type { Artifact } from '../build/compile.ts'
import type { Call } from '../chain/sender.ts'

/** Anvil's deterministic deployment proxy: calldata is the salt followed by the init code. */
const deploymentProxy: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

const saltTriesMax = 2_000_000
const saltTailAt = 1 + 20 + 28
const addressMask = (1n << 160n) - 1n

/** A CREATE2 deployment; its address depends only on code and salt. */
export type Creation = { readonly address: Address; readonly call: Call }

export function planCreation(artifact: Artifact, args: readonly unknown[], salt = 0): Creation {
  const initCode = initCodeOf(artifact, args)
  const saltHex = toHex(salt, { size: 32 })
  return {
    address: addressOf(saltHex, keccak256(initCode)),
    call: { target: deploymentProxy, value: 0n, data: concatHex([saltHex, initCode]) },
  }
}

/** Tries salts until the address matches. */
export function findCreation(
  artifact: Artifact,
  args: readonly unknown[],
  matches: (address: bigint) => boolean,
): Creation {
  // EIP-1014 preimage: 0xff, sender, salt, code hash. Only the end of the salt changes.
  const preimage = hexToBytes(
    concatHex([
      '0xff',
      deploymentProxy,
      toHex(0, { size: 32 }),
      keccak256(initCodeOf(artifact, args)),
    ]),
  )
  const view = new DataView(preimage.buffer)
  for (let salt = 0; salt < saltTriesMax; salt += 1) {
    view.setUint32(saltTailAt, salt)
    if (matches(BigInt(keccak256(preimage)) & addressMask))
      return planCreation(artifact, args, salt)
  }
  throw new Error(`no salt below ${saltTriesMax} gives a matching address`)
}

/** The low 14 bits of a v4 hook's address are its permissions. */
export const hasHookFlags =
  (flags: bigint) =>
  (address: bigint): boolean =>
    (address & 0x3fffn) === flags

/** About half of all other addresses are below and half above. */
export const isMiddleAddress = (address: bigint): boolean => address >> 152n === 0x80n

function addressOf(salt: Hex, bytecodeHash: Hex): Address {
  const address = getCreate2Address({ from: deploymentProxy, salt, bytecodeHash })
  return address.toLowerCase() as Address
}

const initCodeOf = ({ abi, bytecode }: Artifact, args: readonly unknown[]): Hex =>
  encodeDeployData({ abi, bytecode, args: [...args] })
