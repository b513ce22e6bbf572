import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createHttpClient, type HttpClient } from '../../../src/net/http-client.ts'

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Handler = (request: Received, response: ServerResponse) => void | Promise<void>

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** A real HTTP server on the loopback interface, gone when the test is over. */
export const serve = async (
  handler: Handler,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const message = { method, path, headers, body: await bodyOf(request) }
    received.push(message)
    await handler(message, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** Answers every request with the same words. */
export const saying =
  (text: string, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(text)
  }

/** Without deadlines: where none is the subject none comes, however busy the machine is. */
export const createPatientHttpClient = (): HttpClient => {
  const httpClient = createHttpClient()
  return (request) => httpClient({ ...request, deadlineMs: 3_600_000 })
}

/** A URL without a server. */
export const unreachableUrl = 'http://127.0.0.1:9'
