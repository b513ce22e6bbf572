import type { StoreTarget } from '../../config/options.ts'
import type { Timer } from '../../net/timer.ts'

/** A store of several processes, of which the holder of the lease writes. */
export type SharedTarget = Extract<StoreTarget, { kind: 'postgres' }>

/** Checks the connection once. `refused` means that a retry would not help. */
export const checkSharedStore = async ({ url }: SharedTarget) => {
  const { checkConnection } = await import('../../store/postgres/connection-check.ts')
  const reach = await checkConnection(url.reveal())
  if (reach.kind === 'reached') return reach
  return { kind: reach.kind, fault: `store ${url.host} ${reach.fault}` }
}

/** Calls `onChange` after each write, on a best-effort basis: readers also poll. */
export const subscribeToSharedStore = async ({ url }: SharedTarget, onChange: () => void) => {
  const { listenForChanges } = await import('../../store/postgres/listen.ts')
  return listenForChanges({ url: url.reveal(), onChange })
}

/** Returns what a writer needs: migration, lease, and classification of write errors. */
export const openLease = async (
  { url }: SharedTarget,
  parts: { readonly holder: string; readonly timer: Timer },
) => {
  const [{ createLease }, { migratePostgres }, { isLeaseLostError, isInDoubt }] = await Promise.all(
    [
      import('../../store/postgres/lease.ts'),
      import('../../store/postgres/postgres-store.ts'),
      import('../../store/postgres/write-errors.ts'),
    ],
  )
  return {
    migrate: () => migratePostgres({ url: url.reveal() }),
    lease: createLease({ url: url.reveal(), ...parts }),
    isLeaseLost: isLeaseLostError,
    isInDoubt,
  }
}
