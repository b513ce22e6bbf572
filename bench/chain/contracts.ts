import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, multicall3Abi } from 'viem'
import type { Address, Hex } from '../../src/domain/units.ts'
import {
  beacon,
  factory,
  manager,
  memeToken,
  multicall3,
  router,
  type SyntheticToken,
  stateView,
  stockTokens,
  tokensWithFeed,
  trustedTokens,
} from './contracts-and-tokens.ts'
import { encodeAddress, encodeWord } from './encode.ts'
import {
  type BlockSnapshot,
  type FeedRound,
  feedDecimals,
  type SyntheticChain,
} from './generate.ts'
import { blockTimestamp } from './params.ts'

/** Return data of a call at a block; null if it reverts. */
export type ContractCall = (to: Address, data: Hex, block: number) => Hex | null

/** A contract as a function of selector, encoded arguments and block. */
type Contract = (selector: string, argument: string, block: number) => Hex | null

const selectors = {
  symbol: '0x95d89b41',
  name: '0x06fdde03',
  decimals: '0x313ce567',
  uiMultiplier: '0xa60bf13d',
  newUiMultiplier: '0xdc767007',
  effectiveAt: '0x97a4064f',
  oraclePaused: '0x7706ba52',
  aggregator: '0x245a7bfc',
  latestRoundData: '0xfeaf968c',
  v3Slot0: '0x3850c7bd',
  v3Liquidity: '0x1a686502',
  v4Slot0: '0xc815641c',
  v4Liquidity: '0xfa6793d5',
  aggregate3: '0x82ad56cb',
  getPool: '0x1698ee82',
  extsload: '0x1e2eaeaf',
  poolManager: '0xdc4c90d3',
  implementation: '0x5c60da1b',
  totalSupply: '0x18160ddd',
} as const

const one = 10n ** 18n
const words = (...values: readonly (bigint | number)[]): Hex =>
  `0x${values.map(encodeWord).join('')}`
const encodeString = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])

const tokenContract = ({ symbol, decimals, role }: SyntheticToken): Contract => {
  const answers = new Map<string, Hex>([
    [selectors.symbol, encodeString(symbol)],
    [selectors.name, encodeString(`${symbol} Token`)],
    [selectors.decimals, words(decimals)],
    [selectors.totalSupply, words(0)],
  ])
  if (role === 'stock') {
    answers.set(selectors.uiMultiplier, words(one))
    answers.set(selectors.newUiMultiplier, words(one))
    answers.set(selectors.effectiveAt, words(0))
    answers.set(selectors.oraclePaused, words(0))
  }
  return (selector) => answers.get(selector) ?? null
}

/** The latest item at or before a block. */
const latestAt = <T extends { readonly block: number }>(
  all: readonly T[] | undefined,
  block: number,
): T | undefined => all?.findLast((each) => each.block <= block)

const feedContract =
  (
    aggregator: Address,
    rounds: readonly FeedRound[] | undefined,
    chain: SyntheticChain,
  ): Contract =>
  (selector, _, block) => {
    if (selector === selectors.decimals) return words(feedDecimals)
    if (selector === selectors.aggregator) return `0x${encodeAddress(aggregator)}`
    const latest = latestAt(rounds, block)
    if (selector !== selectors.latestRoundData || latest === undefined) return null
    const ts = blockTimestamp(chain.params, latest.block)
    return words(latest.round, latest.answer, ts, ts, latest.round)
  }

/** Unread fields that follow price and tick are zero: five in v3, two in v4. */
const encodeSlot0 = ({ sqrtPriceX96, tick }: BlockSnapshot, unreadFields: number): Hex =>
  words(sqrtPriceX96, tick, ...new Array<number>(unreadFields).fill(0))

const poolContract =
  (snapshots: readonly BlockSnapshot[]): Contract =>
  (selector, _, block) => {
    const latest = latestAt(snapshots, block)
    if (latest === undefined) return null
    if (selector === selectors.v3Slot0) return encodeSlot0(latest, 5)
    return selector === selectors.v3Liquidity ? words(latest.liquidity) : null
  }

const viewContract =
  ({ snapshots }: SyntheticChain): Contract =>
  (selector, argument, block) => {
    if (selector === selectors.poolManager) return `0x${encodeAddress(manager)}`
    const latest = latestAt(snapshots.get(`0x${argument}`), block)
    // StateView reads storage, which is zero for an unknown pool.
    if (selector === selectors.v4Slot0) return latest ? encodeSlot0(latest, 2) : words(0, 0, 0, 0)
    return selector === selectors.v4Liquidity ? words(latest?.liquidity ?? 0) : null
  }

/** A contract that only the contract check calls. */
const createSingleFunctionContract =
  (knownSelector: string, answer: Hex): Contract =>
  (selector) =>
    selector === knownSelector ? answer : null

const deploy = (chain: SyntheticChain): ReadonlyMap<Address, Contract> => {
  const contracts = new Map<Address, Contract>()
  const memes = Array.from({ length: chain.params.pools * 2 }, (_, number) => memeToken(number))
  for (const token of [...trustedTokens, ...stockTokens, ...memes]) {
    contracts.set(token.address, tokenContract(token))
  }
  for (const { feed } of tokensWithFeed) {
    if (feed === null) continue
    const { proxy, aggregator } = feed
    contracts.set(proxy, feedContract(aggregator, chain.rounds.get(aggregator), chain))
  }
  for (const [id, snapshots] of chain.snapshots) contracts.set(id, poolContract(snapshots))
  contracts.set(stateView, viewContract(chain))
  contracts.set(factory, createSingleFunctionContract(selectors.getPool, words(0)))
  contracts.set(manager, createSingleFunctionContract(selectors.extsload, words(0)))
  contracts.set(
    beacon,
    createSingleFunctionContract(selectors.implementation, `0x${encodeAddress(router)}`),
  )
  return contracts
}

/** Answers calls to every contract of the chain. */
export const createContracts = (chain: SyntheticChain): ContractCall => {
  const contracts = deploy(chain)
  const call: ContractCall = (to, data, block) =>
    contracts.get(to)?.(data.slice(0, 10), data.slice(10), block) ?? null

  const aggregate = (data: Hex, block: number): Hex => {
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    const calls = args?.[0] as readonly { target: Address; callData: Hex }[]
    const result = calls.map(({ target, callData }) => {
      const returnData = call(target.toLowerCase() as Address, callData, block)
      return { success: returnData !== null, returnData: returnData ?? '0x' } as const
    })
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
  }

  return (to, data, block) => {
    const isAggregate = to === multicall3 && data.startsWith(selectors.aggregate3)
    return isAggregate ? aggregate(data, block) : call(to, data, block)
  }
}
