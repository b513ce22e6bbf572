import { type Abi, parseAbi } from 'viem'
import type { Call } from '../chain/sender.ts'
import { keyStruct, type Pool } from '../world/pool.ts'
import type { World } from '../world/world.ts'
import { encodeCall } from './calls.ts'

const ownerAbi = parseAbi([
  keyStruct,
  'function setProtocolFeeController(address controller)',
  'function setProtocolFee(Key key, uint24 fee)',
  'function setFeeProtocol(uint8 fee0, uint8 fee1)',
])

/** v4: swaps of token0 in the low twelve bits, the others in the high ones. */
const firstFeeV4 = 250 | (700 << 12)
const laterFeeV4 = 500 | (300 << 12)
/** v3: a quarter of the LP fee, without any change for traders. */
const shareV3 = 4

const chargedPool = (world: World, version: 'v3' | 'v4'): Pool => {
  const isCharged = ({ spec }: Pool): boolean =>
    spec.version === version && spec.roles.includes('protocol-fee')
  const pool = world.pools.find(isCharged)
  if (!pool) throw new Error(`no ${version} pool has the role protocol-fee`)
  return pool
}

const chargeV4 = (world: World, fee: number): Call => {
  const { key } = chargedPool(world, 'v4')
  return encodeCall(world.contracts.poolManager, ownerAbi as Abi, 'setProtocolFee', [key, fee])
}

/** Two pools pay a protocol fee: only v4 shows it in the fee of each Swap. Deployer only. */
export function startProtocolFees(world: World): Call[] {
  const { accounts, contracts } = world
  const { id } = chargedPool(world, 'v3')
  return [
    encodeCall(contracts.poolManager, ownerAbi as Abi, 'setProtocolFeeController', [
      accounts.deployer,
    ]),
    encodeCall(id, ownerAbi as Abi, 'setFeeProtocol', [shareV3, shareV3]),
    chargeV4(world, firstFeeV4),
  ]
}

/** Changes the fee of the v4 pool. Deployer only. */
export const changeProtocolFee = (world: World): Call => chargeV4(world, laterFeeV4)
