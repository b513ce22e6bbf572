import { describe, expect, it } from 'vitest'
import { getProtocol } from '../../src/domain/dex/find-protocol.ts'
import { tickAtSqrtPrice } from '../../src/domain/math/tick-math.ts'
import { success } from '../../src/domain/outcome.ts'
import { activeLiquidityAt, buildTickMap, type Tick } from '../../src/domain/pool/tick-map.ts'
import { readMetadata } from '../../src/domain/token/metadata.ts'
import type { Address, Hex } from '../../src/domain/units.ts'
import { createChainlinkSource } from '../../src/quotes/chainlink.ts'
import { readData } from './read-data.ts'

type Recorded = {
  tokens: readonly { address: Address; name: Hex; symbol: Hex; decimals: Hex }[]
  v3Pool: { address: Address; slot0: Hex; liquidity: Hex }
  v4Slot0: Hex
  chainlinkRound: Hex
}
type RecordedMap = { name: string; ticks: readonly (readonly [number, string, string])[] }

const { tokens, v3Pool, v4Slot0, chainlinkRound } = readData<Recorded>('contract-answers')
const answered = (data: Hex) => ({ ok: true, data }) as const

describe('what tokens of Ethereum answer about themselves', () => {
  it.each([
    [0, 'WBTC', 'Wrapped BTC', 8],
    [1, 'WETH', 'Wrapped Ether', 18],
    // Texts of bytes32, as before ERC-20 was settled.
    [2, 'MKR', 'Maker', 18],
  ])('token %i is %s', (index, symbol, name, decimals) => {
    const token = tokens[index]
    if (token === undefined) throw new Error('no token')
    const metadata = readMetadata({
      symbol: answered(token.symbol),
      name: answered(token.name),
      decimals: answered(token.decimals),
    })
    expect(metadata).toEqual({
      symbol: { known: true, value: symbol },
      name: { known: true, value: name },
      decimals: { known: true, value: decimals },
    })
  })
})

describe('what pools answer about their state', () => {
  it('v3: slot0() and liquidity() agree with the ticks that were recorded at that block', () => {
    const state = getProtocol('uniswap-v3').decodeState(v3Pool)
    if (state === null) throw new Error('no state')
    expect(state).toEqual({
      sqrtPriceX96: 45_887_223_173_673_484_794_471_506_077_387_121n,
      tick: 265_400,
      liquidity: 41_738_966_468_186_725n,
      // A sixth of the fee, of both tokens.
      fees: { lpFee: 0, protocolFee: 6 + (6 << 4) },
    })
    expect(tickAtSqrtPrice(state.sqrtPriceX96)).toBe(state.tick)
    const recorded = readData<RecordedMap[]>('liquidity-maps').find(
      ({ name }) => name === 'WBTC/WETH 0.3%',
    )
    const rows = (recorded?.ticks ?? []).map(
      ([tick, net, gross]): Tick => ({ tick, net: BigInt(net), gross: BigInt(gross) }),
    )
    const map = buildTickMap(rows)
    if (!map.known) throw new Error(map.reason)
    expect(activeLiquidityAt(map.value, state.tick)).toBe(state.liquidity)
  })

  it('v4: StateView.getSlot0() with a protocol fee, which leaves the price alone', () => {
    const liquidity: Hex = `0x${'0'.repeat(63)}1`
    const state = getProtocol('uniswap-v4').decodeState({ slot0: v4Slot0, liquidity })
    expect(state).toEqual({
      sqrtPriceX96: 3_959_048_026_709_477_221_707_753n,
      tick: -198_092,
      liquidity: 1n,
      // 0.0125 % in each direction.
      fees: { lpFee: 500, protocolFee: 125 | (125 << 12) },
    })
    expect(tickAtSqrtPrice(state?.sqrtPriceX96 ?? 0n)).toBe(-198_092)
  })
})

it('a round of Chainlink, whose id has the phase in its upper bits, is a price', async () => {
  const feed: Address = '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419'
  const decimals: Hex = `0x${'8'.padStart(64, '0')}`
  const chain = {
    callContracts: async (calls: readonly { data: Hex }[]) =>
      success(calls.map(({ data }) => answered(data === '0xfeaf968c' ? chainlinkRound : decimals))),
  }
  const source = createChainlinkSource({ chain })
  const weth = {
    address: `0x${'c'.repeat(40)}`,
    symbol: 'WETH',
    isStock: false,
    feedPer: 'token' as const,
    feed,
  } as const
  expect(await source.read([weth], 1_712_226_200)).toMatchObject({
    ok: true,
    value: { quotes: [{ last: 3351.72810074, publishedTs: 1_712_226_143 }], refused: [] },
  })
})
