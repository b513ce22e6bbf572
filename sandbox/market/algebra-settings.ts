import { parseAbi } from 'viem'
import type { Call } from '../chain/sender.ts'
import type { World } from '../world/world.ts'
import { encodeCall } from './calls.ts'

const poolAbi = parseAbi(['function setFee(uint16 fee)', 'function setTickSpacing(int24 spacing)'])

const laterFee = 900
const laterSpacing = 30

/** A pool of Algebra gets another fee and, later, another tick spacing. Deployer only. */
export function changeAlgebraSettings(world: World): readonly [Call, Call] {
  const pool = world.pools.find(({ spec }) => spec.roles.includes('fee-changes'))
  if (!pool) throw new Error('no pool has the role fee-changes')
  return [
    encodeCall(pool.id, poolAbi, 'setFee', [laterFee]),
    encodeCall(pool.id, poolAbi, 'setTickSpacing', [laterSpacing]),
  ]
}
