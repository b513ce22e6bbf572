import { parseWords, uint256At } from '../domain/dex/abi-words.ts'
import { getProtocol } from '../domain/dex/find-protocol.ts'
import { multiplierAliasSelector, uiMultiplierSelector } from '../domain/stock/proofs/erc8056.ts'
import type { Address, BlockNumber, Hash, Hex, PoolId, ProtocolId } from '../domain/units.ts'
import { type Check, type CheckSubject, compareTexts, unchecked, withoutEvidence } from './tier.ts'
import type { VerifierNode } from './verifier-node.ts'

/** A pool's state as the service publishes it: null before its contract is initialised. */
export type PublishedPool = {
  readonly id: PoolId
  readonly protocol: ProtocolId
  /** v3: the factory. v4: the PoolManager. */
  readonly venue: Address
  /** Uniswap's StateView of a v4 PoolManager; null if the network has none. */
  readonly stateView: Address | null
  /** Of the venue, if the network file names it. */
  readonly initCodeHash: Hash | null
  /** Integers as decimal text. */
  readonly sqrtPriceX96: string | null
  readonly tick: number | null
  readonly liquidity: string | null
}

/** What a contract or a proof says in place of the published state. */
export type PoolState = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

type At = { readonly block: BlockNumber; readonly hash: Hash }
type Tier = CheckSubject['tier']

const textOf = (value: string | number | bigint | null): string | null =>
  value === null ? null : String(value)

const stateFields = ['sqrtPriceX96', 'tick', 'liquidity'] as const

/** Compares field by field; a pool that is not initialised has a price of zero. */
export const comparePool = (
  tier: Tier,
  pool: PublishedPool,
  { state, reason }: { readonly state: PoolState; readonly reason: string },
): readonly Check[] => {
  const isInitialized = state.sqrtPriceX96 !== 0n
  return stateFields.map((field) => {
    const published = textOf(pool[field])
    const isNull = !isInitialized && published === null
    const proved = isNull ? null : String(state[field])
    return compareTexts({ tier, subject: pool.id, field }, { published, proved }, reason)
  })
}

/** The same outcome for each field of a pool's state. */
export const eachField = (
  pool: PublishedPool,
  check: (field: string, published: string | null) => Check,
): readonly Check[] => stateFields.map((field) => check(field, textOf(pool[field])))

const tier = 'state'

type Answers = Awaited<ReturnType<VerifierNode['call']>>

const checkAnswers = (pool: PublishedPool, answers: Answers): readonly Check[] => {
  const [slot0, liquidity] = answers
  const each = (check: (of: CheckSubject, published: string | null) => Check) =>
    eachField(pool, (field, published) => check({ tier, subject: pool.id, field }, published))
  if (slot0 === undefined || liquidity === undefined) {
    const reason = 'the network file names no StateView, which reads v4 pools'
    return each((of, published) => unchecked(of, reason, published))
  }
  const failed = [slot0, liquidity].find((answer) => !answer.ok)
  if (failed?.ok === false) {
    return each((of, published) => withoutEvidence(of, failed.fault, published))
  }
  const data = {
    slot0: slot0.ok ? slot0.value : '0x',
    liquidity: liquidity.ok ? liquidity.value : '0x',
  } as const
  const state = getProtocol(pool.protocol).decodeState(data)
  if (state === null) {
    const reason = 'the contract returned no state of a pool'
    return each((of, published) => unchecked(of, reason, published))
  }
  return comparePool(tier, pool, { state, reason: 'the contract returns another value' })
}

/** State tier: price, tick and liquidity of pools, as their contracts return them after a block. */
export const checkPoolStates = async (
  node: VerifierNode,
  pools: readonly PublishedPool[],
  at: At,
): Promise<readonly Check[]> => {
  const calls = pools.map(
    (pool) => getProtocol(pool.protocol).stateCalls(pool.id, pool.stateView) ?? [],
  )
  const answers = (await node.call(calls.flat(), at)).values()
  return pools.flatMap((pool, index) => {
    const own = (calls[index] ?? []).flatMap(() => answers.next().value ?? [])
    return checkAnswers(pool, own)
  })
}

/** A published integer that one contract call returns as one word. */
export type PublishedRead = {
  readonly subject: Address
  readonly field: string
  readonly to: Address
  readonly data: Hex
  /** Asked where the contract returns no integer to `data`. */
  readonly aliasData?: Hex
  /** Decimal text. */
  readonly published: string
}

/** `decimals()` of a token. */
export const decimalsRead = (token: Address, decimals: number): PublishedRead => ({
  subject: token,
  field: 'decimals',
  to: token,
  data: '0x313ce567',
  published: String(decimals),
})

/** `uiMultiplier()` of a stock token, or its alias (ERC-8056), 18 decimals. */
export const multiplierRead = (token: Address, multiplier: bigint): PublishedRead => ({
  subject: token,
  field: 'multiplier',
  to: token,
  data: uiMultiplierSelector,
  aliasData: multiplierAliasSelector,
  published: String(multiplier),
})

/** `convertToAssets(uint256)` of a wrapper (ERC-4626), in raw units of its asset. */
export const assetsRead = (
  token: Address,
  { data, assets }: { readonly data: Hex; readonly assets: bigint },
): PublishedRead => ({
  subject: token,
  field: 'multiplier',
  to: token,
  data,
  published: String(assets),
})

/** `balanceOf(owner)` of a token, in raw units. */
export const balanceRead = (token: Address, owner: Address, balance: bigint): PublishedRead => ({
  subject: token,
  field: `balance of ${owner}`,
  to: token,
  data: `0x70a08231${owner.slice('0x'.length).padStart(64, '0')}`,
  published: String(balance),
})

const integerOf = (answer: Answers[number] | undefined): bigint | null =>
  uint256At(parseWords(answer?.ok ? answer.value : '0x', 1) ?? undefined, 0)

/** State tier: integers that contracts return after a block. */
export const checkReads = async (
  node: VerifierNode,
  reads: readonly PublishedRead[],
  at: At,
): Promise<readonly Check[]> => {
  const answers = await node.call(reads, at)
  const others = reads.flatMap(({ to, aliasData }, index) =>
    aliasData === undefined || integerOf(answers[index]) !== null
      ? []
      : [{ index, call: { to, data: aliasData } }],
  )
  const asked = others.map(({ call }) => call)
  const ofAlias = asked.length === 0 ? [] : await node.call(asked, at)
  const aliases = new Map(others.map(({ index }, place) => [index, ofAlias[place]]))
  return reads.map(({ subject, field, published }, index) => {
    const of = { tier, subject, field } as const
    const alias = aliases.get(index)
    const answer = integerOf(alias) === null ? answers[index] : alias
    if (answer?.ok === false) return withoutEvidence(of, answer.fault, published)
    const value = integerOf(answer)
    if (value === null) return unchecked(of, 'the contract returned no integer', published)
    return compareTexts(
      of,
      { published, proved: String(value) },
      'the contract returns another value',
    )
  })
}
