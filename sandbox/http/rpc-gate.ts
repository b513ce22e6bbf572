import { Agent, request } from 'node:http'
import { faultModes, isFault, sendWithFault } from './faults.ts'
import type { Handler } from './server.ts'

/**
 * Proxy in front of the node. Requests wait while the node is restarted, and faults can be injected
 * on purpose.
 */
export type RpcGate = {
  readonly handler: Handler
  readonly holdRequestsDuring: (work: () => Promise<void>) => Promise<void>
  readonly mode: () => string
  readonly setMode: (mode: string) => void
}

export const rpcGateModes: readonly string[] = ['ok', ...faultModes]

export function createRpcGate(nodeUrl: string): RpcGate {
  const agent = new Agent({ keepAlive: true })
  let mode = 'ok'
  let open: Promise<unknown> = Promise.resolve()

  const handler: Handler = async ({ raw }, response) => {
    if (isFault(mode))
      return sendWithFault(response, mode, '{"jsonrpc":"2.0","id":1,"result":"0x0"}')
    await open
    const { method, headers } = raw
    const upstream = request(nodeUrl, { agent, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.once('error', () => response.destroy())
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy()
    })
    raw.pipe(upstream)
    return true
  }
  return {
    handler,
    holdRequestsDuring: (work) => {
      const done = work()
      open = done.catch(() => undefined)
      return done
    },
    mode: () => mode,
    setMode: (next) => {
      mode = next
    },
  }
}
