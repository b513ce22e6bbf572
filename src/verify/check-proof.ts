import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import { chunk } from '../util/chunk.ts'
import type { EvidenceFault } from './block-evidence.ts'
import { comparePool, eachField, type PoolState, type PublishedPool } from './check-state.ts'
import { balanceSlotsOf } from './layout/erc20.ts'
import { poolSlotsOf, unpackLiquidity, unpackSlot0 } from './layout/pool-slots.ts'
import type { ProvenHeader } from './prove-header.ts'
import { type ProvenState, proveState } from './prove-state.ts'
import { type Check, compareTexts, unchecked, withoutEvidence } from './tier.ts'
import type { VerifierNode } from './verifier-node.ts'

const tier = 'proof'

/** Slots of one `eth_getProof`; geth allows 1,024. */
const slotsMax = 200

type Question = { readonly address: Address; readonly slots: readonly Hash[] }
type Proven = Outcome<ProvenState, EvidenceFault>

const proveAll = async (
  node: VerifierNode,
  header: ProvenHeader,
  questions: readonly Question[],
): Promise<readonly Proven[]> => {
  const answers = await node.readProofs(questions, header)
  return Promise.all(
    questions.map(async (question, index): Promise<Proven> => {
      const answer = answers[index] ?? success(null)
      return answer.ok ? proveState(header, question, answer.value) : answer
    }),
  )
}

/** All slots of a contract in as few questions as possible: v4 pools share one contract. */
const questionsOf = (pools: readonly PublishedPool[]): readonly Question[] => {
  const slotsByAddress = new Map<Address, Hash[]>()
  for (const pool of pools) {
    const place = poolSlotsOf(pool)
    if (place === null) continue
    const { address, slot0, liquidity } = place
    const slots = slotsByAddress.get(address) ?? []
    slots.push(slot0, liquidity)
    slotsByAddress.set(address, slots)
  }
  return [...slotsByAddress].flatMap(([address, slots]) =>
    chunk(slots, slotsMax).map((part) => ({ address, slots: part })),
  )
}

type WordOf = (address: Address, slot: Hash) => Outcome<Hash, EvidenceFault> | undefined

const indexWords = (questions: readonly Question[], proven: readonly Proven[]): WordOf => {
  const words = new Map<string, Outcome<Hash, EvidenceFault>>()
  for (const [index, { address, slots }] of questions.entries()) {
    const state = proven[index]
    for (const [at, slot] of slots.entries()) {
      if (state === undefined) continue
      const word = state.ok ? success(state.value.words[at] ?? '0x') : state
      words.set(`${address} ${slot}`, word)
    }
  }
  return (address, slot) => words.get(`${address} ${slot}`)
}

const unknownLayout =
  'where this build of the contracts keeps its state is not known: its initCodeHash is no known one'

const checkWords = (pool: PublishedPool, wordOf: WordOf): readonly Check[] => {
  const slots = poolSlotsOf(pool)
  if (slots === null) {
    return eachField(pool, (field, published) =>
      unchecked({ tier, subject: pool.id, field }, unknownLayout, published),
    )
  }
  const slot0 = wordOf(slots.address, slots.slot0)
  const liquidity = wordOf(slots.address, slots.liquidity)
  if (slot0?.ok && liquidity?.ok) {
    const state: PoolState = {
      ...unpackSlot0(slot0.value),
      liquidity: unpackLiquidity(liquidity.value, slots),
    }
    return comparePool(tier, pool, { state, reason: "the chain's storage holds another value" })
  }
  const failed = [slot0, liquidity].find((word) => word?.ok === false)
  const fault = failed?.ok === false ? failed.fault : { kind: 'refused', reason: 'not asked' }
  return eachField(pool, (field, published) =>
    withoutEvidence({ tier, subject: pool.id, field }, fault, published),
  )
}

/** Proof tier: price, tick and liquidity of pools as the storage words under the stateRoot. */
export const checkPoolProofs = async (
  node: VerifierNode,
  header: ProvenHeader,
  pools: readonly PublishedPool[],
): Promise<readonly Check[]> => {
  const questions = questionsOf(pools)
  const proven = await proveAll(node, header, questions)
  const wordOf = indexWords(questions, proven)
  return pools.flatMap((pool) => checkWords(pool, wordOf))
}

/** A token balance, in raw units. */
export type PublishedBalance = {
  readonly token: Address
  readonly owner: Address
  readonly published: bigint
  /** What `balanceOf` returns: it shows which of the known layouts is the token's. */
  readonly returned: bigint
}

const checkBalance = (balance: PublishedBalance, state: Proven | undefined): Check => {
  const { token, owner, returned } = balance
  const of = { tier, subject: token, field: `balance of ${owner}` } as const
  const published = String(balance.published)
  if (state?.ok !== true) {
    const fault = state?.fault ?? { kind: 'refused', reason: 'the node returned no proof' }
    return withoutEvidence(of, fault, published)
  }
  if (returned === 0n) {
    return unchecked(
      of,
      "a balance of zero does not show where the token's balances are",
      published,
    )
  }
  const proved = state.value.words.map((word) => BigInt(word)).find((word) => word === returned)
  if (proved === undefined) {
    return unchecked(of, 'where the token stores its balances is not known here', published)
  }
  const reason = "the chain's storage holds another value"
  return compareTexts(of, { published, proved: String(proved) }, reason)
}

/** Proof tier: token balances as storage words, where the token's storage has a known layout. */
export const checkBalanceProofs = async (
  node: VerifierNode,
  header: ProvenHeader,
  balances: readonly PublishedBalance[],
): Promise<readonly Check[]> => {
  const questions = balances.map(({ token, owner }) => ({
    address: token,
    slots: balanceSlotsOf(owner),
  }))
  const proven = await proveAll(node, header, questions)
  return balances.map((balance, index) => checkBalance(balance, proven[index]))
}
