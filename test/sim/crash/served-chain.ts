import type { RpcCall } from '../../../src/rpc/json-rpc.ts'
import { serve } from '../../support/net/loopback.ts'
import { createSimNode } from '../sim-node.ts'
import type { CrashChain } from './crash-chain.ts'
import { chainId } from './crash-network.ts'

type Request = RpcCall & { readonly id: number }

/** The chain behind a real JSON-RPC endpoint on the loopback interface; its address. */
export const serveChain = async ({ chain, contracts }: CrashChain): Promise<string> => {
  const node = createSimNode(chain, contracts, chainId)
  node.manners.logTimes = 'absent'
  const answerOf = (call: Request) => ({ jsonrpc: '2.0', id: call.id, ...node.answer(call) })
  const { url } = await serve((request, response) => {
    const json = JSON.parse(request.body) as Request | readonly Request[]
    const answer = Array.isArray(json) ? json.map(answerOf) : answerOf(json as Request)
    response.end(JSON.stringify(answer))
  })
  return url
}
