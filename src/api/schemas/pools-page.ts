import type { PoolView } from '../../domain/view/pool-view.ts'
import type { Page } from '../market.ts'
import { describes } from './fields.ts'
import { pageOf } from './page.ts'
import { PoolSchema } from './pool.ts'

export const PoolsPageSchema = describes<Page<PoolView>>()(pageOf(PoolSchema, 'One page of pools.'))
