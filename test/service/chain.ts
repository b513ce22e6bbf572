import { createPublicClient, http } from 'viem'
import { readManifest } from './manifest.ts'

/** Blocks per request: a batch of the client is one request. */
const batchSize = 200

/** The sandbox's chain, asked directly. */
export const createChain = (sandboxDir: string) => {
  const { urls } = readManifest(sandboxDir)
  const client = createPublicClient({ transport: http(urls.rpc, { batch: { batchSize } }) })

  /** The times of some blocks, by number. */
  const blockTimes = async (numbers: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const blocks = await Promise.all(
      [...new Set(numbers)].map((number) => client.getBlock({ blockNumber: BigInt(number) })),
    )
    return new Map(blocks.map((block) => [Number(block.number), Number(block.timestamp)]))
  }

  return { client, blockTimes }
}
