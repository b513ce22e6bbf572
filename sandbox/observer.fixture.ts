import { readFileSync } from 'node:fs'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  pad,
  parseAbi,
} from 'viem'
import { createRpc, type Rpc, type RpcBlock, type RpcLog, toHex } from './chain/rpc.ts'
import type { Manifest } from './manifest.ts'

/** Reads the chain by RPC and ABI only, without the sandbox's own state. */
export type Observer = {
  readonly rpc: Rpc
  readonly block: (tag: string) => Promise<RpcBlock>
  readonly head: () => Promise<number>
  /** Calls a function signature such as `slot0() view returns (uint160)`. */
  readonly read: <T>(to: Address, signature: string, args?: readonly unknown[]) => Promise<T>
  readonly logs: (filter: { address?: Address; topic: Hex }) => Promise<readonly RpcLog[]>
}

export type PoolEntry = Manifest['pools'][number]

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(path, 'utf8')) as Manifest

export function observe(manifest: Manifest): Observer {
  const rpc = createRpc(manifest.urls.rpc)
  return {
    rpc,
    block: (tag) => rpc.call<RpcBlock>('eth_getBlockByNumber', tag, false),
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    read: async <T>(to: Address, signature: string, args: readonly unknown[] = []): Promise<T> => {
      const text: string = `function ${signature}`
      const abi = parseAbi([text])
      const data = encodeFunctionData({ abi, args } as never)
      const result = await rpc.call<Hex>('eth_call', { to, data }, 'latest')
      return decodeFunctionResult({ abi, data: result } as never) as T
    },
    logs: ({ address, topic }) =>
      rpc.call('eth_getLogs', {
        ...(address ? { address } : {}),
        ...{ fromBlock: toHex(0), toBlock: 'latest', topics: [topic] },
      }),
  }
}

export type PoolState = {
  readonly price: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/** Reads a pool's state from its contracts. */
export async function readPool(
  { read }: Observer,
  { contracts }: Manifest,
  pool: PoolEntry,
): Promise<PoolState> {
  const isV3 = pool.version === 'v3'
  const slot0 = pool.protocol === 'algebra-integral' ? 'globalState' : 'slot0'
  const [price, tick] = isV3
    ? await read<[bigint, number]>(pool.id, `${slot0}() view returns (uint160, int24)`)
    : await read<[bigint, number]>(
        contracts.stateView,
        'getSlot0(bytes32) view returns (uint160, int24)',
        [pool.id],
      )
  const liquidity = isV3
    ? await read<bigint>(pool.id, 'liquidity() view returns (uint128)')
    : await read<bigint>(contracts.stateView, 'getLiquidity(bytes32) view returns (uint128)', [
        pool.id,
      ])
  return { price, tick, liquidity }
}

/** Algebra packs what Uniswap hashes. */
const positionKeyOf = (
  { protocol }: PoolEntry,
  of: readonly [owner: Hex, tickLower: number, tickUpper: number],
): Hex => {
  const packed = encodePacked(['address', 'int24', 'int24'], of)
  return protocol === 'algebra-integral' ? pad(packed) : keccak256(packed)
}

/** Sums the on-chain liquidity of the manifest's positions that are in range at a tick. */
export async function sumPositions(
  { read }: Observer,
  { contracts }: Manifest,
  pool: PoolEntry,
  tick: number,
): Promise<bigint> {
  const inRange = pool.positions.filter((at) => at.tickLower <= tick && tick < at.tickUpper)
  const held = await Promise.all(
    inRange.map(({ owner, tickLower, tickUpper, salt }) =>
      pool.version === 'v3'
        ? read<bigint>(pool.id, 'positions(bytes32) view returns (uint128)', [
            positionKeyOf(pool, [owner, tickLower, tickUpper]),
          ])
        : read<bigint>(
            contracts.stateView,
            'getPositionInfo(bytes32, address, int24, int24, bytes32) view returns (uint128)',
            [pool.id, owner, tickLower, tickUpper, salt],
          ),
    ),
  )
  return held.reduce((sum, liquidity) => sum + liquidity, 0n)
}
