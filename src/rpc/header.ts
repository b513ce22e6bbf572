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

/** What of a block's header we use. */
export type Header = BlockRef & { readonly parentHash: Hash }

/** Without the transactions: their hashes come all the same, and are not looked at. */
export const headerCall = (block: BlockNumber | string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? toQuantity(block) : block, false],
})

/** Reads the answer to `headerCall(block)`; `null` means that the node has not seen the block. */
export const readHeader = (
  answer: RpcResponse | undefined,
  block: BlockNumber | string,
): Outcome<Header, RpcCallFault> => {
  if (answer === undefined) return malformed('a header is missing')
  if (!answer.ok) return answer
  if (answer.value === null) {
    return failure({ kind: 'behind', detail: `block ${block} is not known` })
  }
  if (!isRecord(answer.value)) return malformed('a header of another form')
  const number = readQuantity(answer.value.number)
  const hash = readHash(answer.value.hash)
  const parentHash = readHash(answer.value.parentHash)
  const ts = readQuantity(answer.value.timestamp)
  if (number === null || hash === null || parentHash === null || ts === null) {
    return malformed('a header of another form')
  }
  if (typeof block === 'number' && number !== block) return malformed('the header of another block')
  return success({ block: number, hash, parentHash, ts })
}

/**
 * What goes before questions about the state after a block: only that block's header, from the same
 * node in the same request, tells of which branch the answers are.
 */
export const branchCalls = (branch: BlockRef | null): readonly RpcCall[] =>
  branch === null ? [] : [headerCall(branch.block)]

/** The answers to what came after `branchCalls(branch)`, if they are of that branch. */
export const readOnBranch = (
  answers: readonly RpcResponse[],
  branch: BlockRef | null,
): Outcome<readonly RpcResponse[], RpcCallFault> => {
  if (branch === null) return success(answers)
  const [first, ...rest] = answers
  const header = readHeader(first, branch.block)
  if (!header.ok) return header
  if (header.value.hash === branch.hash) return success(rest)
  return failure({ kind: 'behind', detail: `block ${branch.block} is another one there` })
}

export const toBlockRef = ({ block, hash, ts }: Header): BlockRef => ({ block, hash, ts })

const bytesMax = 4 * 1024 * 1024

type Tagged = { readonly latest: Header; readonly finalized: Header | null }

/** What a node without the tag answers; any other fault passes. */
const unknownTagKinds: readonly RpcCallFault['kind'][] = ['behind', 'rejected']

/** A node without the tag, or with one ahead of its own head, can not say what is final. */
const readTagged = (
  latest: RpcResponse | undefined,
  finalized: RpcResponse | undefined,
  tag: string,
): Outcome<Tagged, RpcCallFault> => {
  const head = readHeader(latest, 'latest')
  if (!head.ok) return head
  const final = finalized === undefined ? null : readHeader(finalized, tag)
  if (final?.ok === false && !unknownTagKinds.includes(final.fault.kind)) return final
  const isSound = final?.ok === true && final.value.block <= head.value.block
  return success({ latest: head.value, finalized: isSound ? final.value : null })
}

const askTagged = (endpoints: EndpointPool, tag: string | null) =>
  endpoints.request<Tagged>({
    calls: [...(tag === null ? [] : [headerCall(tag)]), headerCall('latest')],
    splittable: false,
    block: null,
    bytesMax,
    read: (answers) => {
      const final = tag === null ? undefined : answers[0]
      return readTagged(answers.at(-1), final, tag ?? 'latest')
    },
    headOf: ({ latest }) => latest.block,
  })

/** The head of the chain, and the newest block that is final by the network's rule. */
export const readHeads = async (
  endpoints: EndpointPool,
  { finality }: { readonly finality: Finality },
): Promise<Outcome<Heads, RpcCallFault>> => {
  const tag = typeof finality === 'string' ? finality : null
  const asked = await askTagged(endpoints, tag)
  if (!asked.ok) return asked
  const latest = toBlockRef(asked.value.latest)
  const { finalized } = asked.value
  if (typeof finality === 'string') {
    return success({ latest, finalized: finalized === null ? null : toBlockRef(finalized) })
  }
  const block = latest.block - finality.blocks
  if (block < 0) return success({ latest, finalized: null })
  const deep = await endpoints.request({
    calls: [headerCall(block)],
    splittable: false,
    block,
    bytesMax,
    read: ([answer]) => readHeader(answer, block),
  })
  return deep.ok ? success({ latest, finalized: toBlockRef(deep.value) }) : deep
}
