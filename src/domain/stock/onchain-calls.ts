import { addressAt, parseWords } from '../dex/abi-words.ts'
import type { Reading } from '../reading.ts'
import { known, unknown } from '../reading.ts'
import { type Address, type Hash, type Hex, nativeAddress, type UnixSeconds } from '../units.ts'
import { erc4626Rules } from './proofs/erc4626.ts'
import { beaconRules, erc8056Rules } from './proofs/erc8056.ts'
import { listedRules } from './proofs/listed.ts'
import type {
  Answer,
  MultiplierCall,
  ProofCall,
  ProofReading,
  ProofRules,
  ProvedToken,
} from './proofs/proof.ts'
import type { StockOnChain, StockVerdict } from './stock.ts'
import type { StockProof, StockStandard } from './stock-standard.ts'

/** EIP-1967: keccak256("eip1967.proxy.beacon") − 1. */
export const beaconSlot: Hash = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

const proofRules: Readonly<Record<StockProof, ProofRules>> = {
  beacon: beaconRules,
  erc8056: erc8056Rules,
  erc4626: erc4626Rules,
  listed: listedRules,
}

export const stockStateCalls = (
  token: ProvedToken,
  { proof, wraps }: StockStandard,
): readonly ProofCall[] => proofRules[proof].calls(token, wraps)

/** The call that the proof depends on, for messages. */
export const provingCall = ({ proof }: StockStandard): string => proofRules[proof].call

/** The call that returned a stock's multiplier; null: it follows from the list. */
export const multiplierCallOf = (
  stock: Pick<StockOnChain, 'multiplierAlias'>,
  { proof, wraps }: StockStandard,
): MultiplierCall | null => proofRules[proof].multiplierCall(stock, wraps)

export const readStockAnswers = (
  answers: readonly (Answer | undefined)[],
  token: ProvedToken,
  { proof, wraps }: StockStandard,
): ProofReading => proofRules[proof].read(answers, token, wraps)

/**
 * Whether the chain confirms a listed stock (methodology §1): its contract is one of the standard
 * and, where the network has a beacon, its EIP-1967 slot names that one.
 */
const verdictOf = (
  reading: ProofReading,
  slot: Hash | null,
  beacon: Address | null,
): StockVerdict => {
  if (reading.isUnread) return 'unknown'
  if (reading.fault !== null) return 'disproven'
  if (beacon === null) return 'verified'
  if (slot === null) return 'unknown'
  return slot.slice(-40) === beacon.slice(2) ? 'verified' : 'disproven'
}

/** What the token contract says of itself, by the reading of one block. */
export const toStockOnChain = (
  reading: ProofReading,
  given: {
    /** The beacon slot's content; null when it was not read. */
    readonly slot: Hash | null
    /** Null: the slot is not asked for. */
    readonly beacon: Address | null
    readonly readTs: UnixSeconds
  },
): StockOnChain => {
  const { multiplier, pendingMultiplier, multiplierEffectiveTs, multiplierAlias } = reading
  const { oraclePaused, readFailed } = reading
  return {
    verdict: verdictOf(reading, given.slot, given.beacon),
    ...{ multiplier, pendingMultiplier, multiplierEffectiveTs, multiplierAlias },
    oraclePaused,
    readTs: given.readTs,
    readFailed,
  }
}

/** The aggregator behind a Chainlink proxy: it, not the proxy, emits `AnswerUpdated`. */
export const aggregatorSelector: Hex = '0x245a7bfc'

export const aggregatorFromAnswer = (answer: Answer): Reading<Address> => {
  const words = answer.ok ? parseWords(answer.data, 1) : null
  const address = addressAt(words ?? undefined, 0)
  return address === null || address === nativeAddress ? unknown('no-aggregator') : known(address)
}
