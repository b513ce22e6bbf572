import { decodeBody } from '../../src/net/response-body.ts'
import type { RpcCall } from '../../src/rpc/json-rpc.ts'
import { createPatientHttpClient, serve } from '../support/net/loopback.ts'

type Message = { readonly id: number; readonly result?: unknown; readonly error?: unknown }
type Question = RpcCall & { readonly id: number }

/** Changes the result of a call; undefined leaves it, `withhold` means that there is no method. */
export type Alter = (call: RpcCall, result: unknown) => unknown

export const withhold = Symbol('withhold')

const refusal = Symbol('refusal')

/** In place of a result: an error with this text. */
export const refuseWith = (message: string): unknown => ({ [refusal]: message })

const refusalOf = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && refusal in result
    ? String(result[refusal])
    : null

const altered = (alter: Alter, question: Question, message: Message): Message => {
  if (message.error !== undefined) return message
  const result = alter(question, message.result)
  if (result === withhold) {
    const error = { code: -32601, message: `the method ${question.method} does not exist` }
    return { id: message.id, error }
  }
  const refused = refusalOf(result)
  if (refused !== null) return { id: message.id, error: { code: -32000, message: refused } }
  return result === undefined ? message : { ...message, result }
}

/** A real JSON-RPC server in front of a real node that states what is not so. */
export const startLyingNode = async (truthUrl: string) => {
  let alter: Alter = () => undefined
  const httpClient = createPatientHttpClient()
  const { url } = await serve(async ({ body }, response) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await httpClient({
      ...{ url: truthUrl, method: 'POST', headers, body, bytesMax: 1e9 },
      deadlineMs: 60_000,
    })
    if (!answer.ok) throw new Error(answer.fault.detail)
    const questions = JSON.parse(body) as Question | readonly Question[]
    const messages = JSON.parse(decodeBody(answer.value.body)) as Message | readonly Message[]
    const list = Array.isArray(messages) ? (messages as readonly Message[]) : [messages as Message]
    const asked = Array.isArray(questions) ? (questions as Question[]) : [questions as Question]
    const changed = list.map((message) => {
      const question = asked.find(({ id }) => id === message.id)
      return question === undefined ? message : altered(alter, question, message)
    })
    response
      .writeHead(200, headers)
      .end(JSON.stringify(Array.isArray(messages) ? changed : changed[0]))
  })
  return {
    url,
    lie: (next: Alter): void => {
      alter = next
    },
  }
}
