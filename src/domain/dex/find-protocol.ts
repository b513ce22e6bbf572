import type { ProtocolId } from '../units.ts'
import type { Protocol } from './protocol.ts'
import { protocols } from './registry.ts'

const byId = new Map(protocols.map((protocol) => [protocol.id, protocol]))

/** @throws Error for an id that no registered protocol has. */
export const getProtocol = (id: ProtocolId): Protocol => {
  const protocol = byId.get(id)
  if (protocol === undefined) throw new Error(`no protocol has the id ${id}`)
  return protocol
}
