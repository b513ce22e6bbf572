import type { Timer } from '../../net/timer.ts'
import type { RpcCallFault } from '../../rpc/classify-error.ts'
import type { JsonRpc, RpcCall, RpcResponse } from '../../rpc/json-rpc.ts'
import { chunk } from '../../util/chunk.ts'
import type { Pace } from './pace.ts'

/** Asks many questions at once; one response for each, in their order. */
export type Ask = (
  calls: readonly RpcCall[],
  limits: {
    /** Limit of the response to one call. */
    readonly bytesMax: number
  },
) => Promise<readonly RpcResponse[]>

const deadlineMs = 30_000
const attemptsMax = 5
const firstPauseMs = 500
const pauseSecondsMax = 60
const inFlightMax = 4
/** Largest response to a batch, whatever its calls may return. */
const batchBytesMax = 256 * 1024 * 1024

/** Faults that pass: the call is repeated after a pause. */
const passingKinds: readonly RpcCallFault['kind'][] = ['rate-limited', 'unreachable', 'timeout']
/** Faults that fewer calls in a batch may avoid. */
const divisibleKinds: readonly RpcCallFault['kind'][] = ['batch-too-large', 'too-large', 'too-slow']

const isPassing = (answer: RpcResponse): boolean =>
  !answer.ok && passingKinds.includes(answer.fault.kind)

const pauseMs = (answers: readonly RpcResponse[], attempt: number): number => {
  const asked = answers.map((answer) =>
    !answer.ok && answer.fault.kind === 'rate-limited' ? (answer.fault.retryAfterSeconds ?? 0) : 0,
  )
  const seconds = Math.min(Math.max(0, ...asked), pauseSecondsMax)
  return Math.max(seconds * 1000, firstPauseMs * 2 ** attempt)
}

/** Batches of at most `batchMax` calls, fewer as soon as the node refuses so many. */
export const createAsk = (deps: {
  readonly jsonRpc: JsonRpc
  readonly url: string
  readonly pace: Pace
  readonly timer: Timer
  readonly batchMax: number
}): Ask => {
  const { jsonRpc, url, pace, timer } = deps
  let batchMax = deps.batchMax

  const sendOnce = async (
    calls: readonly RpcCall[],
    bytesMax: number,
  ): Promise<readonly RpcResponse[]> => {
    await pace.wait()
    const limit = Math.min(calls.length * bytesMax, batchBytesMax)
    const answers = await jsonRpc({ url, calls, deadlineMs, bytesMax: limit })
    if (answers.ok) return answers.value
    if (calls.length === 1 || !divisibleKinds.includes(answers.fault.kind)) {
      return calls.map(() => answers)
    }
    const stated = answers.fault.kind === 'batch-too-large' ? answers.fault.callsMax : null
    const half = Math.ceil(calls.length / 2)
    const size = stated !== null && stated < calls.length ? stated : half
    if (answers.fault.kind === 'batch-too-large') batchMax = Math.min(batchMax, size)
    return sendParts(chunk(calls, size), bytesMax)
  }

  const sendParts = async (
    parts: readonly (readonly RpcCall[])[],
    bytesMax: number,
  ): Promise<readonly RpcResponse[]> => {
    const answers: (readonly RpcResponse[])[] = []
    for (const part of parts) answers.push(await sendOnce(part, bytesMax))
    return answers.flat()
  }

  /** Repeats the calls whose fault passes. */
  const send = async (
    calls: readonly RpcCall[],
    bytesMax: number,
    attempt = 0,
  ): Promise<readonly RpcResponse[]> => {
    const answers = await sendParts(chunk(calls, batchMax), bytesMax)
    const failed = answers.flatMap((answer, index) => (isPassing(answer) ? [index] : []))
    if (failed.length === 0 || attempt + 1 >= attemptsMax) return answers
    await timer.sleep(pauseMs(answers, attempt))
    const repeated = await send(
      calls.filter((_, index) => failed.includes(index)),
      bytesMax,
      attempt + 1,
    )
    const rest = repeated.values()
    return answers.map((answer) => (isPassing(answer) ? (rest.next().value ?? answer) : answer))
  }

  return async (calls, { bytesMax }) => {
    const parts = chunk(calls, batchMax)
    const answers = new Array<readonly RpcResponse[]>(parts.length)
    const queue = parts.entries()
    const worker = async (): Promise<void> => {
      // All workers share one iterator, so each part is sent once.
      for (const [index, part] of queue) answers[index] = await send(part, bytesMax)
    }
    await Promise.all(Array.from({ length: Math.min(inFlightMax, parts.length) }, worker))
    return answers.flat()
  }
}
