import type { BlockRef } from '../domain/chain/block-ref.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import { malformed, type RpcCallFault } from './classify-error.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { branchCalls, readOnBranch } from './header.ts'
import type { NodeAnswer, RpcCall } from './json-rpc.ts'

/** Items that are asked about by one call each, and have nothing to do with each other. */
export type BatchItems<Item, Answer> = {
  readonly items: readonly Item[]
  readonly callOf: (item: Item) => RpcCall
  readonly read: (answer: NodeAnswer, item: Item) => Outcome<Answer, RpcCallFault>
  readonly block: BlockNumber | null
  /** The block on whose branch the node must stand, where that matters. */
  readonly branch?: BlockRef | null
  /** Of the whole batch's answer. */
  readonly bytesMax: number
}

/** These are about one call; any other fault is about the node that answered. */
const ownKinds: readonly RpcCallFault['kind'][] = [
  'reverted',
  'too-large',
  'range-too-large',
  'rejected',
  'rate-limited',
]

const notAnswered: NodeAnswer = malformed('an answer is missing')

type Answers<Answer> = readonly Outcome<Answer, RpcCallFault>[]

const isLimited = <Answer>(answer: Outcome<Answer, RpcCallFault>): boolean =>
  !answer.ok && answer.fault.kind === 'rate-limited'

/** Fails as a whole where the node is at fault, or where a rate limit let nothing through. */
const readAll = <Item, Answer>(
  { items, read }: BatchItems<Item, Answer>,
  answers: readonly NodeAnswer[],
): Outcome<Answers<Answer>, RpcCallFault> => {
  const all = items.map((item, i) => read(answers[i] ?? notAnswered, item))
  const nothingCame = all.every(isLimited)
  for (const answer of all) {
    if (!answer.ok && (nothingCame || !ownKinds.includes(answer.fault.kind))) return answer
  }
  return success(all)
}

/**
 * Asks in one batch. What was answered is kept; what a rate limit left out is asked again, as long
 * as each round brings something. One outcome per item, in order.
 */
export const requestEach = async <Item, Answer>(
  endpoints: EndpointPool,
  question: BatchItems<Item, Answer>,
): Promise<Outcome<Answers<Answer>, RpcCallFault>> => {
  const { items, callOf, block, bytesMax, branch = null } = question
  if (items.length === 0) return success([])
  const asked = await endpoints.request({
    calls: [...branchCalls(branch), ...items.map(callOf)],
    splittable: true,
    block,
    bytesMax,
    read: (answers) => {
      const told = readOnBranch(answers, branch)
      return told.ok ? readAll(question, told.value) : told
    },
  })
  if (!asked.ok || !asked.value.some(isLimited)) return asked
  const { value } = asked
  const left = items.filter((_, i) => isLimited(value[i] ?? notAnswered))
  const again = await requestEach(endpoints, { ...question, items: left })
  if (!again.ok) return again
  const rest = again.value.values()
  return success(
    value.map((answer) => (isLimited(answer) ? (rest.next().value ?? answer) : answer)),
  )
}
