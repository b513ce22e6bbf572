import type { Group } from './group.ts'
import { answersGroup } from './rows/answers.ts'
import { type GrowthPoint, growthGroup } from './rows/growth.ts'
import { headLatencyGroup } from './rows/head-latency.ts'
import { indexingGroup } from './rows/indexing.ts'
import { pastPagesGroup } from './rows/past-pages.ts'
import { quotesGroup } from './rows/quotes.ts'
import { restartGroup } from './rows/restart.ts'

/** All rows of the table, in the order in which they are measured. */
export const createGroups = (
  onGrowth: (points: readonly GrowthPoint[]) => void,
): readonly Group[] => [
  indexingGroup,
  answersGroup,
  headLatencyGroup,
  restartGroup,
  growthGroup(onGrowth),
  quotesGroup,
  pastPagesGroup,
]
