import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Pool } from '../world/pool.ts'
import type { World } from '../world/world.ts'
import type { Rpc } from './rpc.ts'

const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] results)',
])
const slot0Abi = parseAbi(['function slot0() view', 'function globalState() view'])
const stateViewAbi = parseAbi(['function getSlot0(bytes32 id) view'])

/** The square root price of each pool now, in the given order; 0 if it has none. */
export async function readSqrtPrices(
  rpc: Rpc,
  world: World,
  pools: readonly Pool[],
): Promise<bigint[]> {
  const calls = pools.map((pool) => ({ ...slot0Call(world, pool), allowFailure: true }))
  const data = encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [calls],
  })
  const result = await rpc.call<Hex>('eth_call', { to: world.contracts.multicall3, data }, 'latest')
  const rows = decodeFunctionResult({
    abi: multicallAbi,
    functionName: 'aggregate3',
    data: result,
  })
  return rows.map((row) => (row.success ? BigInt(row.returnData.slice(0, 66)) : 0n))
}

/** Calls the pool (v3) or StateView (v4); the price is the first word of both results. */
function slot0Call(world: World, pool: Pool): { target: Hex; callData: Hex } {
  return pool.spec.version === 'v3'
    ? {
        target: pool.id,
        callData: encodeFunctionData({
          abi: slot0Abi,
          functionName: pool.spec.venue === 'Algebra Integral' ? 'globalState' : 'slot0',
        }),
      }
    : {
        target: world.contracts.stateView,
        callData: encodeFunctionData({
          abi: stateViewAbi,
          functionName: 'getSlot0',
          args: [pool.id],
        }),
      }
}
