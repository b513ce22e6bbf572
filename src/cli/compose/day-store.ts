import type { ExportRequest } from '../../config/export-command.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { DayStore } from '../../ports/store-days.ts'

/** Imports on demand, so that the driver of the other store is not loaded. */
export const openDayStore = async (
  target: ExportRequest['store'],
): Promise<Outcome<DayStore, string>> => {
  if (target.kind === 'sqlite') {
    const { openSqliteDays } = await import('../../store/sqlite/day-store.ts')
    return openSqliteDays(target.path)
  }
  const { openPostgresDays } = await import('../../store/postgres/day-store.ts')
  return openPostgresDays(target.url.reveal())
}
