import type { Pool } from '../../src/client/types.ts'
import { isLookAlike } from './look-alikes.ts'
import type { PoolQuery, Sort } from './pool-query.ts'
import { PoolRow } from './pool-row.tsx'

type Column = { readonly name: string; readonly sort?: Sort; readonly num?: boolean }

const columns: readonly Column[] = [
  { name: 'Pool' },
  { name: 'Price', num: true },
  { name: 'Premium / drift', sort: 'premium', num: true },
  { name: 'Liquidity', sort: 'liquidity', num: true },
  { name: 'Vol 1 h', sort: 'vol1h', num: true },
  { name: 'Vol 24 h', sort: 'vol24h', num: true },
  { name: 'Last swap', sort: 'lastSwap', num: true },
  { name: 'Data' },
]

type Sorting = Pick<PoolQuery, 'sort' | 'order'>
type HeadProps = {
  readonly column: Column
  readonly sorting: Sorting | null
  readonly onSort: (sort: Sort) => void
}

const directions = { asc: 'ascending', desc: 'descending' } as const

const Head = ({ column, sorting, onSort }: HeadProps) => {
  const { name, sort, num } = column
  const order = sort !== undefined && sorting?.sort === sort ? sorting.order : null
  const direction = order === null ? 'none' : directions[order]
  if (sort === undefined || sorting === null) {
    return (
      <th scope="col" class={num === true ? 'num' : ''}>
        {name}
      </th>
    )
  }
  return (
    <th scope="col" class={num === true ? 'num' : ''} aria-sort={direction}>
      <button type="button" class={order === null ? '' : 'sorted'} onClick={() => onSort(sort)}>
        {name}
        <span class="arrow" aria-hidden="true">
          {order === 'asc' ? '↑' : '↓'}
        </span>
      </button>
    </th>
  )
}

type TableProps = {
  readonly caption: string
  readonly pools: readonly Pool[]
  readonly stockSymbols: ReadonlySet<string>
  /** Null where the order is given. */
  readonly sorting: Sorting | null
  readonly onSort?: (sort: Sort) => void
  /** The rows are of the question before: a new answer is on its way. */
  readonly waiting?: boolean
}

export const PoolTable = (props: TableProps) => {
  const { caption, pools, stockSymbols, sorting, onSort = () => {}, waiting = false } = props
  return (
    <div class="table-scroll">
      <table class={waiting ? 'pools waiting' : 'pools'} aria-busy={waiting}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {pools.map((pool) => (
            <PoolRow key={pool.id} pool={pool} lookAlike={isLookAlike(pool, stockSymbols)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
