import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
} from 'viem'
import type { Manifest } from '../../../sandbox/manifest.ts'

/** One function of one contract. */
export type Call = {
  readonly to: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args?: readonly unknown[]
}

export type RawLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
}

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) returns (Result[] results)',
])

/** The node takes bodies of up to two megabytes. */
const callsPerMulticall = 1000
const requestsPerBatch = 200

const slices = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

const encode = ({ abi, functionName, args = [] }: Call): Hex =>
  encodeFunctionData({ abi, functionName, args })

const decode = ({ abi, functionName }: Call, data: Hex): unknown =>
  decodeFunctionResult({ abi, functionName, data })

/** viem's messages repeat the whole request, which here can be a megabyte. */
const throwBriefly = (fault: unknown): never => {
  const text = fault instanceof Error ? fault.message : String(fault)
  throw new Error(`the sandbox's node did not answer: ${text.slice(-300)}`)
}

export const readManifest = (sandboxDir: string): Manifest =>
  JSON.parse(readFileSync(join(sandboxDir, 'manifest.json'), 'utf8')) as Manifest

/** The sandbox's chain as anybody can read it. */
export const createChain = ({ urls, contracts }: Manifest) => {
  const single = createPublicClient({ transport: http(urls.rpc) })
  const batched = createPublicClient({
    transport: http(urls.rpc, { batch: { batchSize: requestsPerBatch } }),
  })

  const request = <T>(method: string, params: readonly unknown[]): Promise<T> =>
    batched.request({ method, params } as never).catch(throwBriefly) as Promise<T>

  const aggregate = async (calls: readonly Call[], block: number): Promise<unknown[]> => {
    const targets = calls.map((call) => ({
      target: call.to,
      allowFailure: true,
      callData: encode(call),
    }))
    const data = encodeFunctionData({
      abi: multicallAbi,
      functionName: 'aggregate3',
      args: [targets],
    })
    const blockNumber = BigInt(block)
    const answer = await single
      .call({ to: contracts.multicall3, data, blockNumber })
      .catch(throwBriefly)
    const results = decodeFunctionResult({
      abi: multicallAbi,
      functionName: 'aggregate3',
      data: answer.data ?? '0x',
    })
    return calls.map((call, index) => {
      const result = results[index]
      return result?.success ? decode(call, result.returnData) : null
    })
  }

  return {
    request,
    /** What views answer as of the block; null for one that reverts. */
    view: async (calls: readonly Call[], block: number): Promise<readonly unknown[]> => {
      const answers: unknown[] = []
      for (const some of slices(calls, callsPerMulticall)) {
        answers.push(...(await aggregate(some, block)))
      }
      return answers
    },
    /** What each call would return if `from` made it as of the block; nothing is sent. */
    dryRun: (calls: readonly Call[], from: Address, block: number): Promise<readonly unknown[]> =>
      Promise.all(
        calls.map(async (call) => {
          const transaction = { from, to: call.to, data: encode(call) }
          return decode(call, await request<Hex>('eth_call', [transaction, numberToHex(block)]))
        }),
      ),
    logs: (
      topics: readonly Hex[],
      { from, to }: { readonly from: number; readonly to: number },
    ): Promise<readonly RawLog[]> =>
      request('eth_getLogs', [
        { fromBlock: numberToHex(from), toBlock: numberToHex(to), topics: [topics] },
      ]),
    head: async (): Promise<number> => Number(await request<Hex>('eth_blockNumber', [])),
    /** By their headers. */
    blockTimes: async (blocks: readonly number[]): Promise<ReadonlyMap<number, number>> => {
      const headers = await Promise.all(
        blocks.map((block) =>
          request<{ timestamp: Hex }>('eth_getBlockByNumber', [numberToHex(block), false]),
        ),
      )
      return new Map(headers.map(({ timestamp }, index) => [blocks[index] ?? 0, Number(timestamp)]))
    },
  }
}

export type Chain = ReturnType<typeof createChain>
