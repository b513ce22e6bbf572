/** Open indexers that npm has. */
export const peerNames = ['subsquid', 'ponder', 'envio'] as const
export type PeerName = (typeof peerNames)[number]
