import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { Finality } from '../domain/chain/finality.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import { isRecord } from '../net/json.ts'
import type { Heads } from '../ports/chain-reader.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { readHash, readQuantity, toQuantity } from './hex.ts'
import type { RpcCall, RpcResponse } from './json-rpc.ts'

export type Header = BlockRef & { readonly parentHash: Hash }

/** `false` omits the transactions; nodes send their hashes anyway. */
export const headerCall = (block: BlockNumber | string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? toQuantity(block) : block, false],
})

/** Reads the response to `headerCall(block)`; JSON null means that the node does not know it. */
export const readHeader = (
  answer: RpcResponse | undefined,
  block: BlockNumber | string,
): Outcome<Header, RpcCallFault> => {
  if (answer === undefined) return malformed('response with a header is missing')
  if (!answer.ok) return answer
  if (answer.value === null) {
    return failure({ kind: 'behind', detail: `block ${block} is not known to the endpoint` })
  }
  if (!isRecord(answer.value)) return malformed('header has another form than specified')
  const number = readQuantity(answer.value.number)
  const hash = readHash(answer.value.hash)
  const parentHash = readHash(answer.value.parentHash)
  const ts = readQuantity(answer.value.timestamp)
  if (number === null || hash === null || parentHash === null || ts === null) {
    return malformed('header has another form than specified')
  }
  if (typeof block === 'number' && number !== block) {
    return malformed(`header of block ${number}, expected ${block}`)
  }
  return success({ block: number, hash, parentHash, ts })
}

/**
 * Calls to send before state reads at a block. Only the header of that block, from the same node in
 * the same request, proves the branch of the results.
 */
export const branchCalls = (branch: BlockRef | null): readonly RpcCall[] =>
  branch === null ? [] : [headerCall(branch.block)]

/** Returns the responses to the calls after `branchCalls(branch)` if they belong to that branch. */
export const readOnBranch = (
  answers: readonly RpcResponse[],
  branch: BlockRef | null,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  if (branch === null) return success(answers)
  const [first, ...stateAnswers] = answers
  const header = readHeader(first, branch.block)
  if (!header.ok) return header
  if (header.value.hash === branch.hash) return success(stateAnswers)
  return failure({ kind: 'behind', detail: `endpoint has a different block ${branch.block}` })
}

export const toBlockRef = ({ block, hash, ts }: Header): BlockRef => ({ block, hash, ts })

const bytesMax = 4 * 1024 * 1024

type TaggedHeaders = { readonly latest: Header; readonly finalized: Header | null }

/** Responses of a node that does not support the tag. */
const unknownTagKinds: readonly RpcCallFault['kind'][] = ['behind', 'rejected']

/** A tag that the node does not support, or that is ahead of its head, gives null. */
const readTaggedHeaders = (
  latest: RpcResponse | undefined,
  finalized: RpcResponse | undefined,
  tag: string,
): Outcome<TaggedHeaders, RpcCallFault> => {
  const head = readHeader(latest, 'latest')
  if (!head.ok) return head
  const final = finalized === undefined ? null : readHeader(finalized, tag)
  if (final?.ok === false && !unknownTagKinds.includes(final.fault.kind)) return final
  const isValid = final?.ok === true && final.value.block <= head.value.block
  return success({ latest: head.value, finalized: isValid ? final.value : null })
}

const requestTagged = (endpoints: EndpointPool, tag: string | null) =>
  endpoints.request<TaggedHeaders>({
    calls: [...(tag === null ? [] : [headerCall(tag)]), headerCall('latest')],
    splittable: false,
    block: null,
    bytesMax,
    read: (answers) => {
      const final = tag === null ? undefined : answers[0]
      return readTaggedHeaders(answers.at(-1), final, tag ?? 'latest')
    },
    headOf: ({ latest }) => latest.block,
  })

/** Reads the head, and the newest block that is final by the network's rule. */
export const readHeads = async (
  endpoints: EndpointPool,
  { finality }: { readonly finality: Finality },
): Promise<Outcome<Heads, RpcCallFault>> => {
  const tag = typeof finality === 'string' ? finality : null
  const tagged = await requestTagged(endpoints, tag)
  if (!tagged.ok) return tagged
  const latest = toBlockRef(tagged.value.latest)
  const { finalized } = tagged.value
  if (typeof finality === 'string') {
    return success({ latest, finalized: finalized === null ? null : toBlockRef(finalized) })
  }
  const block = latest.block - finality.blocks
  if (block < 0) return success({ latest, finalized: null })
  const final = await endpoints.request({
    calls: [headerCall(block)],
    splittable: false,
    block,
    bytesMax,
    read: ([answer]) => readHeader(answer, block),
  })
  return final.ok ? success({ latest, finalized: toBlockRef(final.value) }) : final
}
