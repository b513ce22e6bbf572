import type { ServerResponse } from 'node:http'
import { type Handler, type Request, sendJson } from './server.ts'

/** Runs a command; returns the changed state, throws an Error that names the invalid field. */
export type Command = (body: Readonly<Record<string, unknown>>) => unknown

export type ControlInput = {
  readonly status: () => unknown
  readonly manifest: () => unknown
  readonly commands: Readonly<Record<string, Command>>
  /** Registers an owner; the returned function removes it. */
  readonly addOwner: () => () => void
}

const heartbeatMillis = 5_000

/** Serves `GET status`, `manifest` and `attach` (a stream per owner), and the `POST` commands. */
export function createControl(input: ControlInput): Handler {
  return (request, response) => {
    const [name = '', ...more] = request.segments
    if (more.length > 0) return false
    if (request.method === 'POST') return runCommand(input, name, request, response)
    if (name === 'status') return sendJson(response, 200, input.status())
    if (name === 'manifest') return sendJson(response, 200, input.manifest())
    if (name === 'attach') return attach(input, response)
    return false
  }
}

async function runCommand(
  input: ControlInput,
  name: string,
  { json }: Request,
  response: ServerResponse,
): Promise<boolean> {
  const command = Object.hasOwn(input.commands, name) ? input.commands[name] : undefined
  if (!command) return false
  try {
    const body = await json()
    const fields = typeof body === 'object' && body !== null ? body : {}
    return sendJson(response, 200, await command(fields as Record<string, unknown>))
  } catch (error) {
    return sendJson(response, 400, {
      error: error instanceof Error ? error.message : 'invalid body',
    })
  }
}

function attach(input: ControlInput, response: ServerResponse): boolean {
  const leave = input.addOwner()
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.write(`${JSON.stringify(input.status())}\n`)
  const timer = setInterval(() => response.write('{}\n'), heartbeatMillis)
  response.once('close', () => {
    clearInterval(timer)
    leave()
  })
  return true
}
