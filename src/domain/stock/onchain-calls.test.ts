import {
  encodeFunctionData,
  keccak256,
  numberToHex,
  parseAbi,
  stringToBytes,
  toFunctionSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { standardWith } from '../../../test/support/domain/sample-standard.ts'
import type { Address, Hash, Hex } from '../units.ts'
import {
  aggregatorFromAnswer,
  aggregatorSelector,
  beaconSlot,
  multiplierCallOf,
  readStockAnswers,
  stockStateCalls,
  toStockOnChain,
} from './onchain-calls.ts'
import type { StockProof } from './stock-standard.ts'

const token: Address = `0x${'2'.repeat(40)}`
const beacon: Address = `0x${'be'.repeat(20)}`
const slotOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`
const one = 10n ** 18n

const returned = (value: bigint) => ({ ok: true, data: numberToHex(value, { size: 32 }) }) as const
const reverted = { ok: false, reason: 'reverted' } as const
const unanswered = { ok: false, reason: 'unanswered' } as const
const tooLarge = { ok: false, reason: 'too-large' } as const
const odd = (data: Hex) => ({ ok: true, data }) as const

type Answer =
  | ReturnType<typeof returned>
  | ReturnType<typeof odd>
  | typeof reverted
  | typeof tooLarge
  | typeof unanswered

const listing = { address: token, decimals: 8 }

/** uiMultiplier, newUIMultiplier, effectiveAt, oraclePaused; of erc8056 also multiplier. */
const read = (
  answers: readonly Answer[],
  given: { slot?: Hash | null; beacon?: Address | null; proof?: StockProof } = {},
) => {
  const { slot = slotOf(beacon), proof = 'beacon' } = given
  const ofNetwork = given.beacon === undefined ? beacon : given.beacon
  const standard = standardWith({ proof, beacon: ofNetwork })
  const reading = readStockAnswers(answers, listing, standard)
  return toStockOnChain(reading, { slot, beacon: standard.beacon, readTs: 5 })
}

const plain = [returned(one), returned(one), returned(0n), returned(0n)]

describe('the calls', () => {
  it('are those of the interface', () => {
    const signatures = ['uiMultiplier()', 'newUIMultiplier()', 'effectiveAt()', 'oraclePaused()']
    const callsOf = (proof: StockProof) => stockStateCalls(listing, standardWith({ proof }))
    const calls = signatures.map((name) => ({ to: token, data: toFunctionSelector(name) }))
    const alias = { to: token, data: toFunctionSelector('multiplier()') }
    expect(callsOf('beacon')).toEqual(calls)
    expect(callsOf('erc8056')).toEqual([...calls, alias])
    expect(callsOf('listed')).toEqual([{ to: token, data: toFunctionSelector('decimals()') }])
    expect(aggregatorSelector).toBe(toFunctionSelector('aggregator()'))
  })

  it('look at the slot of EIP-1967', () => {
    const hash = BigInt(keccak256(stringToBytes('eip1967.proxy.beacon')))
    expect(beaconSlot).toBe(numberToHex(hash - 1n))
  })
})

describe('a listed stock', () => {
  it.each([
    ['with the known beacon and a multiplier', plain, {}, 'verified'],
    ['with another beacon', plain, { slot: slotOf(token) }, 'disproven'],
    ['without a beacon', plain, { slot: slotOf('0x') }, 'disproven'],
    ['whose slot could not be read', plain, { slot: null }, 'unknown'],
    ['on a network without beacon', plain, { slot: null, beacon: null }, 'verified'],
    ['whose multiplier reverts', [reverted, ...plain.slice(1)], {}, 'disproven'],
    ['whose multiplier is 0', [returned(0n), ...plain.slice(1)], {}, 'disproven'],
    ['whose multiplier is absurd', [returned(1n << 200n), ...plain.slice(1)], {}, 'disproven'],
    ['whose multiplier is dust', [returned(1n), ...plain.slice(1)], {}, 'disproven'],
    ['that is no contract', [odd('0x'), odd('0x'), odd('0x'), odd('0x')], {}, 'disproven'],
    ['that answers two words', [odd(`0x${'00'.repeat(64)}`)], {}, 'disproven'],
    ['whose multiplier is too long', [tooLarge, ...plain.slice(1)], {}, 'unknown'],
    ['too long on a network without beacon', [tooLarge], { beacon: null }, 'unknown'],
    ['that was not answered for', [], {}, 'unknown'],
  ] as const)('%s', (_, answers, proof, verdict) => {
    expect(read(answers, proof).verdict).toBe(verdict)
  })

  it.each([
    ['all four answered', plain, false],
    ['a token without announcements', [returned(one), reverted, reverted, reverted], false],
    ['the multiplier reverts', [reverted, ...plain.slice(1)], true],
    ['the multiplier is too long', [tooLarge, ...plain.slice(1)], true],
    ['the announcement is too long', [returned(one), tooLarge, ...plain.slice(2)], true],
    ['the pause is too long', [...plain.slice(0, 3), tooLarge], true],
    ['nothing was answered', [], true],
  ] as const)('is read or not: %s', (_, answers, readFailed) => {
    expect(read(answers)).toMatchObject({ readFailed })
  })

  it('returns its multiplier and no announcement', () => {
    expect(read(plain)).toEqual({
      verdict: 'verified',
      multiplier: one,
      pendingMultiplier: null,
      multiplierEffectiveTs: null,
      multiplierAlias: false,
      oraclePaused: false,
      readTs: 5,
      readFailed: false,
    })
  })

  it.each([
    ['an announced change', [returned(one), returned(2n * one), returned(900n)], 2n * one, 900],
    [
      'no announcement, where only its time is returned',
      [returned(one), reverted, returned(900n)],
      null,
      null,
    ],
    ['none, where its time is missing', [returned(one), returned(2n * one), reverted], null, null],
    [
      'none, where its time is out of range',
      [returned(one), returned(2n * one), returned(1n << 80n)],
      null,
      null,
    ],
  ] as const)('returns %s', (_, answers, pendingMultiplier, multiplierEffectiveTs) => {
    expect(read(answers)).toMatchObject({ pendingMultiplier, multiplierEffectiveTs })
  })

  it.each([
    [returned(1n), true],
    [returned(0n), false],
    [reverted, null],
  ])('%o to oraclePaused() means %s', (answer, oraclePaused) => {
    expect(read([...plain.slice(0, 3), answer]).oraclePaused).toBe(oraclePaused)
  })

  it('that is not a stock returns nothing else', () => {
    expect(read([reverted, returned(one), returned(900n), reverted])).toMatchObject({
      multiplier: null,
      pendingMultiplier: null,
      multiplierEffectiveTs: null,
      oraclePaused: null,
    })
  })
})

describe('a stock of ERC-8056', () => {
  const proof = { proof: 'erc8056', beacon: null } as const
  const none = [reverted, reverted, reverted, reverted]

  it.each([
    ['uiMultiplier()', [...plain, reverted], false, one],
    ['both, of which the standard name counts', [...plain, returned(2n * one)], false, one],
    ['its alias only', [...none, returned(3n * one)], true, 3n * one],
  ] as const)('is verified by %s', (_, answers, multiplierAlias, multiplier) => {
    const stock = read(answers, proof)
    const readFailed = false
    expect(stock).toMatchObject({ verdict: 'verified', multiplier, multiplierAlias, readFailed })
    const call = multiplierAlias ? 'multiplier()' : 'uiMultiplier()'
    const data = toFunctionSelector(call)
    expect(multiplierCallOf(stock, standardWith(proof))).toEqual({ call, data })
  })

  it.each([
    ['neither', [...none, reverted], 'disproven'],
    ['a proxy that answers nothing', Array.from({ length: 5 }, () => odd('0x')), 'disproven'],
    ['an alias of zero', [...none, returned(0n)], 'disproven'],
    ['an absurd alias', [...none, returned(1n << 255n)], 'disproven'],
    ['a refused alias', [...none, unanswered], 'unknown'],
  ] as const)('has no multiplier by %s', (_, answers, verdict) => {
    expect(read(answers, proof)).toMatchObject({ verdict, multiplier: null, readFailed: true })
  })

  it('an absurd announcement is none', () => {
    const answers = [returned(one), returned(1n << 200n), returned(900n), reverted, reverted]
    expect(read(answers, proof)).toMatchObject({ multiplier: one, pendingMultiplier: null })
  })
})

describe('a wrapper of ERC-4626', () => {
  const wraps = { asset: beacon, decimals: 8, assetDecimals: 6 }
  const standard = standardWith({ proof: 'erc4626', wraps })
  const asset = returned(BigInt(beacon))
  const readWrapper = (answers: readonly Answer[], given = standard) => {
    const reading = readStockAnswers(answers, listing, given)
    return toStockOnChain(reading, { slot: null, beacon: null, readTs: 5 })
  }

  it('is asked for the assets of one token, what they are, and the decimals of both', () => {
    const one = encodeFunctionData({
      abi: parseAbi(['function convertToAssets(uint256)']),
      args: [10n ** 8n],
    })
    const decimals = toFunctionSelector('decimals()')
    expect(stockStateCalls(listing, standard)).toEqual([
      { to: token, data: one },
      { to: token, data: toFunctionSelector('asset()') },
      { to: token, data: decimals },
      { to: beacon, data: decimals },
    ])
    const call = { call: 'convertToAssets(uint256)', data: one }
    expect(multiplierCallOf({ multiplierAlias: false }, standard)).toEqual(call)
  })

  it('has whole assets per token as its multiplier', () => {
    const stock = readWrapper([returned(1_050_000n), asset, returned(8n), returned(6n)])
    const multiplier = 1_050_000_000_000_000_000n
    expect(stock).toMatchObject({ verdict: 'verified', multiplier, readFailed: false })
  })

  it.each([
    ['of another asset', [returned(1_050_000n), returned(7n), returned(8n), returned(6n)]],
    ['whose assets revert', [reverted, asset, returned(8n), returned(6n)]],
    ['worth nothing', [returned(0n), asset, returned(8n), returned(6n)]],
    ['worth absurdly much', [returned(1n << 250n), asset, returned(8n), returned(6n)]],
    ['of other decimals', [returned(1_050_000n), asset, returned(18n), returned(6n)]],
    ['whose asset has others', [returned(1_050_000n), asset, returned(8n), returned(18n)]],
    ['that is a proxy of nothing', Array.from({ length: 4 }, () => odd('0x'))],
  ] as const)('is none: %s', (_, answers) => {
    expect(readWrapper(answers)).toMatchObject({ verdict: 'disproven', multiplier: null })
  })

  it('is unknown while an answer is missing, and none without its asset in the list', () => {
    expect(readWrapper([returned(1_050_000n), asset, unanswered, returned(6n)])).toMatchObject({
      verdict: 'unknown',
    })
    const unlisted = standardWith({ proof: 'erc4626' })
    expect(readWrapper([], unlisted)).toMatchObject({ verdict: 'disproven', multiplier: null })
  })
})

describe('a listed stock without a standard', () => {
  const proof = { proof: 'listed', beacon: null } as const

  it('is verified by its decimals, and one token is one share', () => {
    const stock = read([returned(8n)], proof)
    const readFailed = false
    expect(stock).toMatchObject({ verdict: 'verified', multiplier: one, readFailed })
    expect(multiplierCallOf(stock, standardWith(proof))).toBeNull()
  })

  it.each([
    ['other decimals', [returned(18n)], 'disproven'],
    ['a revert', [reverted], 'disproven'],
    ['no contract', [odd('0x')], 'disproven'],
    ['a refused call', [], 'unknown'],
    ['too long an answer', [tooLarge], 'unknown'],
  ] as const)('is none by %s', (_, answers, verdict) => {
    expect(read(answers, proof)).toMatchObject({ verdict, multiplier: null, readFailed: true })
  })
})

describe("a feed's aggregator", () => {
  it.each([
    ['an address', returned(BigInt(beacon)), { known: true, value: beacon }],
    [
      'a small address, padded',
      returned(10n),
      { known: true, value: `0x${'a'.padStart(40, '0')}` },
    ],
    ['nothing', returned(0n), { known: false, reason: 'no-aggregator' }],
    ['more than an address', returned(1n << 160n), { known: false, reason: 'no-aggregator' }],
    ['a revert', reverted, { known: false, reason: 'no-aggregator' }],
    ['no word', odd('0x'), { known: false, reason: 'no-aggregator' }],
  ])('%s', (_, answer, reading) => {
    expect(aggregatorFromAnswer(answer)).toEqual(reading)
  })
})
