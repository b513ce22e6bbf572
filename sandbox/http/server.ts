import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Request = {
  readonly method: string
  /** Path segments after the mount, decoded. */
  readonly segments: readonly string[]
  /** The JSON body; null without one. */
  readonly json: () => Promise<unknown>
  readonly raw: IncomingMessage
}

/** Sends the response; returns false for an unknown path. */
export type Handler = (request: Request, response: ServerResponse) => boolean | Promise<boolean>

export type HttpServer = {
  readonly url: string
  readonly stop: () => Promise<void>
}

const bodyBytesMax = 10_000

/** Starts a loopback server; the first path segment selects the handler. */
export async function startHttp(
  port: number,
  handlers: Readonly<Record<string, Handler>>,
): Promise<HttpServer> {
  const server = createServer((raw, response) => {
    serve(handlers, raw, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: String(error) })
      else response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${bound}`, stop: () => stop(server) }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): boolean {
  return sendText(response, status, 'application/json', JSON.stringify(value))
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
): boolean {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
  return true
}

async function serve(
  handlers: Readonly<Record<string, Handler>>,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(raw.url ?? '/', 'http://sandbox')
  const [mount = '', ...segments] = pathname.slice(1).split('/').map(decodeURIComponent)
  const handler = Object.hasOwn(handlers, mount) ? handlers[mount] : undefined
  const method = raw.method ?? 'GET'
  const json = () => readBody(raw)
  const answered = await handler?.({ method, segments, json, raw }, response)
  if (!answered) sendJson(response, 404, { error: 'not found' })
}

async function readBody(raw: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of raw) {
    text += String(chunk)
    if (text.length > bodyBytesMax) throw new Error('body too large')
  }
  return text === '' ? null : (JSON.parse(text) as unknown)
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
