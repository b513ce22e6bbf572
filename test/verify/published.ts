import { type Hex, numberToHex, parseAbi } from 'viem'
import type { Manifest } from '../../sandbox/manifest.ts'
import { algebraInitCodeHash } from '../../sandbox/world/venues.ts'
import type { PublishedLogs } from '../../src/verify/check-logs.ts'
import type { PublishedPool } from '../../src/verify/check-state.ts'
import type { Call, Chain, RawLog } from '../service/numbers/chain.ts'

/*
 * What an honest service publishes of the sandbox's pools, read by another library: numbers by
 * Uniswap's views, logs by `eth_getLogs`.
 */

const price = 'uint160 sqrtPriceX96, int24 tick'
const v3Abi = parseAbi([
  `function slot0() view returns (${price})`,
  'function liquidity() view returns (uint128)',
])
const algebraAbi = parseAbi([
  `function globalState() view returns (${price}, uint16, uint8, uint16, bool)`,
  'function liquidity() view returns (uint128)',
])
const stateViewAbi = parseAbi([
  `function getSlot0(bytes32) view returns (${price}, uint24, uint24)`,
  'function getLiquidity(bytes32) view returns (uint128)',
])

type Pool = Manifest['pools'][number]

const viewsOf = (
  { id, version, protocol }: Pool,
  { stateView }: Manifest['contracts'],
): readonly Call[] => {
  if (protocol === 'algebra-integral') {
    return [
      { to: id, abi: algebraAbi, functionName: 'globalState' },
      { to: id, abi: algebraAbi, functionName: 'liquidity' },
    ]
  }
  return version === 'v3'
    ? [
        { to: id, abi: v3Abi, functionName: 'slot0' },
        { to: id, abi: v3Abi, functionName: 'liquidity' },
      ]
    : [
        { to: stateView, abi: stateViewAbi, functionName: 'getSlot0', args: [id] },
        { to: stateView, abi: stateViewAbi, functionName: 'getLiquidity', args: [id] },
      ]
}

export const publishedPools = async (
  { pools, contracts }: Manifest,
  chain: Chain,
  block: number,
): Promise<readonly PublishedPool[]> => {
  const answers = await chain.view(
    pools.flatMap((pool) => viewsOf(pool, contracts)),
    block,
  )
  return pools.map(({ id, protocol, venueAddress: venue }, index) => {
    const [sqrtPriceX96, tick] = answers[index * 2] as readonly [bigint, number]
    return {
      id,
      protocol,
      venue,
      stateView: contracts.stateView,
      initCodeHash: algebraInitCodeHash,
      sqrtPriceX96: String(sqrtPriceX96),
      tick,
      liquidity: String(answers[index * 2 + 1]),
    }
  })
}

const v3SwapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const pancakeSwapTopic = '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83'
const v4SwapTopic = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'

/** The swaps of every pool in one block. */
export const publishedSwaps = async (
  { pools, contracts }: Manifest,
  chain: Chain,
  block: number,
): Promise<readonly PublishedLogs[]> => {
  const at = numberToHex(block)
  const logs = await chain.request<readonly RawLog[]>('eth_getLogs', [
    { fromBlock: at, toBlock: at, topics: [[v3SwapTopic, pancakeSwapTopic, v4SwapTopic]] },
  ])
  return pools.map(({ id, version, protocol }) => {
    const isV3 = version === 'v3'
    const address: Hex = isV3 ? id : contracts.poolManager
    const v3Topic = protocol === 'pancakeswap-v3' ? pancakeSwapTopic : v3SwapTopic
    const topics: readonly Hex[] = isV3 ? [v3Topic] : [v4SwapTopic, id]
    const own = logs.filter(
      (log) => log.address === address && topics.every((topic, i) => log.topics[i] === topic),
    )
    return {
      subject: id,
      field: 'swaps',
      address,
      topics,
      logs: own.map(({ logIndex, transactionHash }) => ({
        logIndex: Number(logIndex),
        transactionHash,
      })),
    }
  })
}
