import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ServerLimits } from './limits.ts'

/**
 * Requests that were sent without waiting for the reply before are handled one after the other:
 * else one packet of them could make more replies than memory holds, for somebody who never reads.
 */
export const inTurn = (
  handler: RequestListener,
  { waitingRequestsMax }: Pick<ServerLimits, 'waitingRequestsMax'>,
): RequestListener => {
  const latest = new WeakMap<Socket, ServerResponse>()
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // node goes on to the end of the packet that it has begun.
    if (socket.destroyed) return
    const before = latest.get(socket)
    latest.set(socket, response)
    // node gives a reply its socket when the one before it is through.
    if (before === undefined || response.socket !== null) {
      handler(request, response)
      return
    }
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > waitingRequestsMax) {
      socket.destroy()
      return
    }
    before.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      // Other connections have their turn in between.
      setImmediate(() => {
        if (!socket.destroyed) handler(request, response)
      })
    })
  }
}
