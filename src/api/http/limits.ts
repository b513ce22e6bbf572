/** What a client can make the server hold or wait for. */
export const serverLimits = {
  /** RFC 9112 §3 asks for 8000 at least; the longest honest query is below 1,500. */
  uriBytesMax: 8_192,
  /** node's own default; cookies of a shared domain fit. */
  headerBytesMax: 16_384,
  /** Honest headers come in one packet. */
  headersMsMax: 5_000,
  /** Headers and body together. The one body that is read, of a conversation, is at most 64 KiB. */
  requestMsMax: 5_000,
  /**
   * A connection on which nothing moves: silent from the start, or never reading its reply. After
   * `requestMsMax` and a check, so that who is slow in asking is told why.
   */
  idleMsMax: 7_000,
  /** Between two requests. Longer than the 60 s of usual proxies, or they meet a closed door. */
  keepAliveMsMax: 72_000,
  /** How often node looks for slow requests; its default of 30 s would outweigh the limits. */
  checkEveryMs: 1_000,
  /** About 20 KB each; above it connections are refused. */
  connectionsMax: 4_096,
  /** Requests on one connection behind one that is not answered yet; the rest gets no reply. */
  waitingRequestsMax: 128,
  /** From stopping to cutting what still runs; the process as a whole has 5 s. */
  closeMsMax: 3_000,
  /** Requests that a client may make at once: a dashboard opening all its charts. */
  rateLimitBurst: 30,
  /** Clients remembered, about 150 bytes each. */
  rateLimitClientsMax: 100_000,
}

export type ServerLimits = Readonly<Record<keyof typeof serverLimits, number>>
