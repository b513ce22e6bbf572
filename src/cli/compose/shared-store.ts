import type { StoreTarget } from '../../config/options.ts'
import type { Timer } from '../../net/timer.ts'

/** A store that several processes share: one of them holds the lease, and writes. */
export type SharedTarget = Extract<StoreTarget, { kind: 'postgres' }>

/** Asks it once. What waiting would not mend is `refused`; the fault is one line with its host. */
export const checkSharedStore = async ({ url }: SharedTarget) => {
  const { checkConnection } = await import('../../store/postgres/connection-check.ts')
  const reach = await checkConnection(url.reveal())
  if (reach.kind === 'reached') return reach
  return { kind: reach.kind, fault: `store ${url.host} ${reach.fault}` }
}

/** Tells of every change of the store, if it can; whoever follows looks now and then anyway. */
export const subscribeToSharedStore = async ({ url }: SharedTarget, onChange: () => void) => {
  const { listenForChanges } = await import('../../store/postgres/listen.ts')
  return listenForChanges({ url: url.reveal(), onChange })
}

/** What a process needs to be the writer: schema, lease, and to know when it has lost that. */
export const openLease = async (
  { url }: SharedTarget,
  parts: { readonly holder: string; readonly timer: Timer },
) => {
  const [{ createLease }, { migratePostgres }, { isLeaseLostError }, { isInDoubt }] =
    await Promise.all([
      import('../../store/postgres/lease.ts'),
      import('../../store/postgres/postgres-store.ts'),
      import('../../store/postgres/write-errors.ts'),
      import('../../store/postgres/write-errors.ts'),
    ])
  return {
    migrate: () => migratePostgres({ url: url.reveal() }),
    lease: createLease({ url: url.reveal(), ...parts }),
    isLeaseLost: isLeaseLostError,
    isInDoubt,
  }
}
