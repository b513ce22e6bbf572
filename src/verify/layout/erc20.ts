import type { Address, Hash } from '../../domain/units.ts'
import { keccakOf, toBytes } from '../encoding/bytes.ts'
import { mappingSlot, slotAt } from './slots.ts'

/** Enough for WETH9 (3), USDC (9), USDT (2) and tokens whose own variables come first. */
const firstSlots = Array.from({ length: 12 }, (_, index) => slotAt(BigInt(index)))

/** OpenZeppelin's upgradeable ERC-20 before 5.0: behind one or two gaps of 50 words. */
const gapSlots = [slotAt(51n), slotAt(101n)]

/** ERC-7201 namespace `openzeppelin.storage.ERC20`, whose first variable is the balances. */
const namespaceSlot: Hash = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00'

const mappings: readonly Hash[] = [...firstSlots, ...gapSlots, namespaceSlot]

/** Solady's ERC20.sol: keccak256(owner . 0x87a211a2), 24 bytes. */
const soladySeed = '87a211a2'
const soladySlot = (owner: Address): Hash =>
  keccakOf(toBytes(`0x${owner.slice('0x'.length)}${'0'.repeat(16)}${soladySeed}`))

/**
 * Slots in which common ERC-20 contracts store the balance of an owner. Which of them is the
 * token's own shows where a balance that is not zero stands.
 */
export const balanceSlotsOf = (owner: Address): readonly Hash[] => [
  ...mappings.map((mapping) => mappingSlot(owner, mapping)),
  soladySlot(owner),
]
