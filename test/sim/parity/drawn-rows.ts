import { type Candle, candleWidths } from '../../../src/domain/pool/stored-rows.ts'
import { quoteSourceIds } from '../../../src/domain/price/quote.ts'
import {
  addressOf,
  candleAt,
  day,
  hashOf,
  identityOf,
  stateOf,
  swapAt,
} from '../../store-contract/fixtures.ts'
import type { Random } from '../random.ts'

/** Blocks come three to a time, and the times lie so that some hundred of them are a day. */
export const tsOf = (block: number): number => day + Math.floor(block / 3) * 601

export const anchorOf = (block: number, fork: number) => ({
  block,
  hash: hashOf(block * 1024 + fork),
  ts: tsOf(block),
})

/** Of either sign and any size, the edges more often than chance would have them. */
const drawAmount = ({ percent, between, pick }: Random): bigint => {
  const power = 1n << BigInt(pick([0, 7, 8, 63, 64, 127, 128, 255]))
  const amount = percent(50) ? power - BigInt(between(0, 1)) : BigInt(between(0, 2 ** 40))
  return percent(50) ? amount : -amount
}

export const drawAmounts = (random: Random) => ({
  amount0: drawAmount(random),
  amount1: drawAmount(random),
})

const drawUsdMicro = ({ percent, between }: Random): number | null =>
  percent(15) ? null : percent(5) ? Number.MAX_SAFE_INTEGER - between(0, 9) : between(0, 2 ** 40)

export const drawState = (random: Random) => {
  const { percent, between } = random
  const liquidity = drawAmount(random)
  return stateOf(liquidity < 0n ? -liquidity : liquidity, {
    price: percent(20) ? null : { sqrtPriceX96: 2n ** 96n, tick: between(-887_272, 887_272) },
    reserves: percent(20) ? null : drawAmounts(random),
    depth: percent(20) ? null : drawAmounts(random),
    mapFault: percent(20) ? (percent(50) ? 'index_gap' : 'reserve_short') : null,
    lastSwapTs: percent(50) ? null : day + between(0, 9),
    lastSwapFee: percent(50) ? null : between(0, 1_000_000),
    fees: percent(50)
      ? null
      : { lpFee: between(0, 1e6), protocolFee: between(0, 2 ** 24 - 1), block: between(0, 9) },
    settings: percent(50)
      ? null
      : { tickSpacing: between(0, 500), pluginConfig: between(0, 255), block: between(0, 9) },
  })
}

export const drawTick = (random: Random, pool: number) => ({
  pool,
  tick: random.between(-5, 5) * 60,
  net: drawAmount(random),
  gross: random.percent(30) ? 0n : BigInt(random.between(1, 99)),
})

export const drawSwaps = (random: Random, pools: readonly number[], blocks: readonly number[]) =>
  blocks.map((block, logIndex) =>
    swapAt(
      { pool: random.pick(pools), block, logIndex },
      {
        ts: tsOf(block),
        amount0: drawAmount(random),
        amount1: drawAmount(random),
        usdMicro: drawUsdMicro(random),
        estimated: random.percent(30),
        implausible: random.percent(30),
        lpFee: random.percent(30) ? null : random.between(0, 99_999_999),
        feeYield: drawUsdMicro(random),
        fee: random.percent(50) ? null : random.between(0, 9999),
        recipient: random.percent(50) ? null : addressOf(random.between(0, 9)),
      },
    ),
  )

/** Of v3, of v4, or of a version that kept none of it. */
const drawOrigin = ({ between, pick }: Random) =>
  pick([
    { txIndex: null, owner: null, sender: null, salt: null },
    { txIndex: between(0, 9), owner: addressOf(between(1, 9)), sender: null, salt: null },
    { txIndex: 0, owner: null, sender: addressOf(between(1, 9)), salt: hashOf(between(0, 999)) },
  ])

export const drawChange = (random: Random, pool: number, block: number, logIndex: number) => ({
  pool,
  block,
  logIndex,
  ts: tsOf(block),
  txHash: hashOf(block),
  tickLower: -60,
  tickUpper: 60,
  liquidityDelta: drawAmount(random),
  ...drawOrigin(random),
})

export const drawCandle = (random: Random, pool: number, ts: number): Candle => {
  const { between, percent, pick, next } = random
  const width = pick(candleWidths)
  return candleAt(
    { pool, width, ts: ts - (ts % width) },
    {
      open: next() * 1e-9,
      high: 1 + next(),
      low: next() * 1e-12,
      close: next() * 1e30,
      usdMicro: drawUsdMicro(random) ?? 0,
      swaps: between(0, 2),
      unpriced: between(0, 1),
      estimated: between(0, 1),
      implausible: between(0, 1),
      feeYield: drawUsdMicro(random) ?? 0,
      yielded: between(0, 2),
      reserve0: percent(50) ? null : next() * 1e77,
      reserve1: percent(50) ? null : -0,
    },
  )
}

export const drawPoint = ({ between, pick, next }: Random, ts: number) => {
  const width = pick(candleWidths)
  return {
    address: addressOf(between(100, 102)),
    width,
    ts: ts - (ts % width),
    usd: next() * 1000,
    source: pick(quoteSourceIds),
  }
}

export const drawIdentity = (number: number, block: number) => ({
  ...identityOf(number),
  createdBlock: block,
  createdTs: tsOf(block),
})
