import { failure, type Outcome, success } from '../domain/outcome.ts'
import { malformed, type NodeFault } from './classify-error.ts'
import { readQuantity } from './hex.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

export const chainIdCall: RpcCall = { method: 'eth_chainId', params: [] }

/** Reads the answer to `chainIdCall`: it must be the configured chain. */
const readChainId = (
  answer: NodeAnswer | undefined,
  chainId: number,
): Outcome<number, NodeFault> => {
  if (answer?.ok === false) return answer
  const found = readQuantity(answer?.value)
  if (found === null) return malformed('no chain id')
  if (found === chainId) return success(found)
  const detail = `its chain id is ${found}, the network's is ${chainId}`
  return failure({ kind: 'wrong-chain', detail })
}

/** An endpoint may be pointed elsewhere while we run, so its proof does not hold for ever. */
const proofMs = 60_000

/** Makes sure that an endpoint serves the configured chain before anything it says is used. */
export type ChainProof = {
  /** Reads the answer to a `chainIdCall` that travelled along. */
  readonly read: (answer: NodeAnswer | undefined) => Outcome<number, NodeFault>
  /** Asks once for all who wait. */
  readonly prove: () => Promise<Outcome<number, NodeFault>>
  /** What was proved holds no longer. */
  readonly forget: () => void
}

export const createChainProof = (deps: {
  readonly chainId: number
  readonly nowMs: () => number
  readonly ask: () => Promise<Outcome<NodeAnswer | undefined, NodeFault>>
}): ChainProof => {
  let provedAtMs: number | null = null
  let pending: Promise<Outcome<number, NodeFault>> | null = null

  const read = (answer: NodeAnswer | undefined): Outcome<number, NodeFault> => {
    const outcome = readChainId(answer, deps.chainId)
    provedAtMs = outcome.ok ? deps.nowMs() : null
    return outcome
  }

  const askOnce = async (): Promise<Outcome<number, NodeFault>> => {
    const answer = await deps.ask()
    pending = null
    return answer.ok ? read(answer.value) : answer
  }

  return {
    read,
    prove: async () => {
      if (provedAtMs !== null && deps.nowMs() - provedAtMs < proofMs) return success(deps.chainId)
      pending ??= askOnce()
      return pending
    },
    forget: () => {
      provedAtMs = null
    },
  }
}
