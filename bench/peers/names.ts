/** Open-source indexers on npm. */
export const peerNames = ['subsquid', 'ponder', 'envio'] as const
export type PeerName = (typeof peerNames)[number]
