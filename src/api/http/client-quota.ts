/** Counts what clients hold, so that one client cannot hold all of it. */
export type ClientQuota = {
  /** Takes one for the client, or returns whose share is used up. */
  readonly take: (client: string) => 'taken' | 'client-full' | 'full'
  readonly release: (client: string) => void
}

export const createClientQuota = (limits: {
  readonly total: number
  readonly perClient: number
}): ClientQuota => {
  const held = new Map<string, number>()
  let total = 0
  return {
    take: (client) => {
      const own = held.get(client) ?? 0
      if (own >= limits.perClient) return 'client-full'
      if (total >= limits.total) return 'full'
      held.set(client, own + 1)
      total += 1
      return 'taken'
    },
    release: (client) => {
      const own = held.get(client) ?? 0
      if (own === 0) return
      if (own === 1) held.delete(client)
      else held.set(client, own - 1)
      total -= 1
    },
  }
}
