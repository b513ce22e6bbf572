import type { Finality } from '../domain/chain/finality.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { Heads } from '../ports/chain.ts'
import type { Endpoints } from './endpoints.ts'
import type { NodeFault } from './faults.ts'
import { anchorOf, type Header, headerCall, readHeader } from './header.ts'
import type { NodeAnswer } from './json-rpc.ts'

const bytesMax = 4 * 1024 * 1024

type Tagged = { readonly latest: Header; readonly finalized: Header | null }

/** What a node without the tag answers; any other fault passes. */
const unknownTagKinds: readonly NodeFault['kind'][] = ['behind', 'rejected']

/** A node without the tag, or with one ahead of its own head, can not say what is final. */
const readTagged = (
  latest: NodeAnswer | undefined,
  finalized: NodeAnswer | undefined,
  tag: string,
): Outcome<Tagged, NodeFault> => {
  const head = readHeader(latest, 'latest')
  if (!head.ok) return head
  const final = finalized === undefined ? null : readHeader(finalized, tag)
  if (final?.ok === false && !unknownTagKinds.includes(final.fault.kind)) return final
  const isSound = final?.ok === true && final.value.block <= head.value.block
  return success({ latest: head.value, finalized: isSound ? final.value : null })
}

const askTagged = (endpoints: Endpoints, tag: string | null) =>
  endpoints.ask<Tagged>({
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
  endpoints: Endpoints,
  { finality }: { readonly finality: Finality },
): Promise<Outcome<Heads, NodeFault>> => {
  const tag = typeof finality === 'string' ? finality : null
  const asked = await askTagged(endpoints, tag)
  if (!asked.ok) return asked
  const latest = anchorOf(asked.value.latest)
  const { finalized } = asked.value
  if (typeof finality === 'string') {
    return success({ latest, finalized: finalized === null ? null : anchorOf(finalized) })
  }
  const block = latest.block - finality.blocks
  if (block < 0) return success({ latest, finalized: null })
  const deep = await endpoints.ask({
    calls: [headerCall(block)],
    splittable: false,
    block,
    bytesMax,
    read: ([answer]) => readHeader(answer, block),
  })
  return deep.ok ? success({ latest, finalized: anchorOf(deep.value) }) : deep
}
