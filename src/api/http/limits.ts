/** Bounds on what a client can make the server hold or wait for. */
export const serverLimits = {
  /** RFC 9112 §3 asks for at least 8000; the longest legitimate query is below 1,500. */
  uriBytesMax: 8_192,
  /** Node's default; the cookies of a shared domain fit. */
  headerBytesMax: 16_384,
  /** Legitimate headers arrive in one packet. */
  headersMsMax: 5_000,
  /** Headers and body together. MCP is the only route that reads a body, of at most 64 KiB. */
  requestMsMax: 5_000,
  /** An answer that waits for the store; it gets a 503 then. */
  answerMsMax: 6_000,
  /**
   * A connection without traffic. Longer than `requestMsMax` plus one check and than `answerMsMax`,
   * so that a slow request gets its 408 first and a slow answer its 503.
   */
  idleMsMax: 7_000,
  /** Between two requests. Longer than the 60 s of common proxies, which reuse connections. */
  keepAliveMsMax: 72_000,
  /** Node's interval for finding slow requests; its default of 30 s exceeds the limits above. */
  checkEveryMs: 1_000,
  /** About 20 KB each; further connections are refused. */
  connectionsMax: 4_096,
  /** Connections of one client address, trusted proxies apart. A browser opens six. */
  connectionsPerClientMax: 128,
  /** Open streams of about 20 KB each. */
  streamsMax: 2_000,
  streamsPerClientMax: 20,
  /** Pipelined requests waiting on one connection; those beyond get no response. */
  waitingRequestsMax: 128,
  /** Time for running requests to end at shutdown; the process has 5 s. */
  closeMsMax: 3_000,
  /** Requests that a client may send at once: a dashboard loading all its charts. */
  rateLimitBurst: 30,
  /** Clients in the rate limiter's memory, about 150 bytes each. */
  rateLimitClientsMax: 100_000,
}

export type ServerLimits = Readonly<Record<keyof typeof serverLimits, number>>
