import type { PoolVersion } from '../pool/pool-event.ts'
import type { Protocol } from './protocol.ts'
import { protocols } from './registry.ts'

const byVersion = new Map(protocols.map((protocol) => [protocol.version, protocol]))

const byTopic: ReadonlyMap<string, Protocol> = new Map(
  protocols.flatMap((protocol) => protocol.topics.map((topic) => [topic, protocol] as const)),
)

/** @throws Error for a version that no registered protocol has. */
export const getProtocol = (version: PoolVersion): Protocol => {
  const protocol = byVersion.get(version)
  if (protocol === undefined) throw new Error(`no protocol has the version ${version}`)
  return protocol
}

export const findProtocolByTopic = (topic: string): Protocol | undefined => byTopic.get(topic)
