import { failure, type Outcome, success } from '../domain/outcome.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import { readQuantity } from './hex.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

export const chainIdCall: RpcCall = { method: 'eth_chainId', params: [] }

/** Reads the answer to `chainIdCall`: it must be the configured chain. */
const readChainId = (
  answer: NodeAnswer | undefined,
  chainId: number,
): Outcome<number, RpcCallFault> => {
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
export type ChainIdCheck = {
  /** Reads the answer to a `chainIdCall` that travelled along. */
  readonly read: (answer: NodeAnswer | undefined) => Outcome<number, RpcCallFault>
  /** Asks once for all who wait. */
  readonly verify: () => Promise<Outcome<number, RpcCallFault>>
  /** What was proved holds no longer. */
  readonly forget: () => void
}

export const createChainIdCheck = (deps: {
  readonly chainId: number
  readonly nowMs: () => number
  readonly ask: () => Promise<Outcome<NodeAnswer | undefined, RpcCallFault>>
}): ChainIdCheck => {
  let provedAtMs: number | null = null
  let pending: Promise<Outcome<number, RpcCallFault>> | null = null

  const read = (answer: NodeAnswer | undefined): Outcome<number, RpcCallFault> => {
    const outcome = readChainId(answer, deps.chainId)
    provedAtMs = outcome.ok ? deps.nowMs() : null
    return outcome
  }

  const askOnce = async (): Promise<Outcome<number, RpcCallFault>> => {
    const answer = await deps.ask()
    pending = null
    return answer.ok ? read(answer.value) : answer
  }

  return {
    read,
    verify: async () => {
      if (provedAtMs !== null && deps.nowMs() - provedAtMs < proofMs) return success(deps.chainId)
      pending ??= askOnce()
      return pending
    },
    forget: () => {
      provedAtMs = null
    },
  }
}
