import type { ServerResponse } from 'node:http'
import { sendText } from './server.ts'

/** A fault of a response, independent of its content. */
type Fault = (response: ServerResponse, body: string) => void

const json = 'application/json'

const faults = {
  /** Closes the connection without a response. */
  down: (response) => response.destroy(),
  error: (response) => sendText(response, 500, 'text/plain', 'upstream connect error'),
  /** Plain text with status 200, as recorded from the issuer. */
  'rate-limited': (response) => sendText(response, 200, 'text/plain', 'local_rate_limited'),
  'too-many-requests': (response) => {
    response.setHeader('retry-after', '5')
    sendText(response, 429, 'text/plain', 'Too Many Requests')
  },
  html: (response) => sendText(response, 200, 'text/html', '<!doctype html><title>Login</title>'),
  /** Ends the body in the middle. */
  truncated: (response, body) => sendText(response, 200, json, body.slice(0, body.length >> 1)),
  /** Sends headers at once, then one byte at a time. */
  dripping: (response, body) => drip(response, body),
  /** Never sends headers. */
  silent: () => undefined,
} satisfies Record<string, Fault>

export type FaultMode = keyof typeof faults

export const faultModes = Object.keys(faults) as FaultMode[]

export const isFault = (mode: string): mode is FaultMode => Object.hasOwn(faults, mode)

/** Sends the body, with the fault of the mode. */
export function sendWithFault(response: ServerResponse, mode: string, body: string): boolean {
  if (isFault(mode)) faults[mode](response, body)
  else sendText(response, 200, json, body)
  return true
}

const dripMillis = 500

function drip(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': json })
  let sent = 0
  const timer = setInterval(() => {
    response.write(body.slice(sent, sent + 1))
    sent += 1
    if (sent >= body.length) response.end()
  }, dripMillis)
  response.once('close', () => clearInterval(timer))
}
