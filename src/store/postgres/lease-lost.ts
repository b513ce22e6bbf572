const name = 'LeaseLost'

/** What a write rejects with that found another writer's generation in the lease: nothing stays. */
export const leaseLost = (fence: number): Error =>
  Object.assign(new Error(`store: the lease of generation ${fence} is another's now`), { name })

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof Error && error.name === name
