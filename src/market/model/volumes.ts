import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { PoolVolume } from '../../domain/valuation/pool-inputs.ts'
import type { FilteredVolumes } from './volume-filtering.ts'
import { createVolumeWindows, noVolumes, type VolumeChange } from './volume-windows.ts'

/** The volumes of all pools, and what the filter leaves of them (docs/methodology.md §5). */
export const createVolumes = () => {
  const windows = createVolumeWindows()
  let filtered: FilteredVolumes | null = null
  return {
    /** Returns the pools whose volumes changed. */
    apply: (changes: {
      readonly volume: VolumeChange
      readonly filtered: FilteredVolumes
    }): ReadonlySet<PoolNumber> => {
      const changed = windows.apply(changes.volume)
      filtered = changes.filtered
      return new Set([...changed, ...filtered.changed])
    },
    get: (pool: PoolNumber): PoolVolume => {
      const volume = windows.get(pool)
      if (volume === noVolumes || filtered === null) return volume
      return { ...volume, ...filtered.figuresOf(pool) }
    },
  }
}
