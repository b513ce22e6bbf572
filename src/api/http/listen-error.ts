/** Why a server can not listen where it should, as one line for people. */
export type ListenFault = {
  readonly kind: 'port-in-use' | 'not-permitted' | 'no-such-address'
  readonly detail: string
}

const faults: Readonly<Record<string, { kind: ListenFault['kind']; text: string }>> = {
  EADDRINUSE: { kind: 'port-in-use', text: 'the port is in use' },
  EACCES: { kind: 'not-permitted', text: 'the system does not permit it' },
  EADDRNOTAVAIL: { kind: 'no-such-address', text: 'this machine has no such address' },
  ENOTFOUND: { kind: 'no-such-address', text: 'no such host' },
}

/** `host:port` as in a URL. */
export const placeOf = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** What is not in the table is a bug, and thrown on. */
export const listenFaultOf = (error: unknown, place: string): ListenFault => {
  const fault = faults[(error as { readonly code?: string }).code ?? '']
  if (fault === undefined) throw error
  return { kind: fault.kind, detail: `can not listen on ${place}: ${fault.text}` }
}
