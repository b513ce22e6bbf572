import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Pool } from '../../src/client/types.ts'
import type { PoolQuery, Sort } from './pool-query.ts'
import { PoolRow } from './pool-row.tsx'

type Column = { readonly name: string; readonly sort?: Sort; readonly num?: boolean }

const columns: readonly Column[] = [
  { name: 'Pool' },
  { name: 'Price', num: true },
  { name: 'Premium / drift', sort: 'premium', num: true },
  { name: 'Liquidity', sort: 'liquidity', num: true },
  { name: 'Depth 2 %', sort: 'depth', num: true },
  { name: 'Vol 1 h', sort: 'vol1h', num: true },
  { name: 'Vol 24 h', sort: 'vol24h', num: true },
  { name: 'Last swap', sort: 'lastSwap', num: true },
  { name: 'Data' },
]

type Order = Pick<PoolQuery, 'sort' | 'order'>
/** The requested order, and the order of the shown rows. */
type Sorting = { readonly requested: Order; readonly shown: Order }
type HeadProps = {
  readonly column: Column
  readonly sorting: Sorting | null
  readonly onSort: (sort: Sort) => void
}

const directions = { asc: 'ascending', desc: 'descending' } as const

const Head = ({ column, sorting, onSort }: HeadProps) => {
  const { name, sort, num } = column
  if (sort === undefined || sorting === null) {
    return (
      <th scope="col" class={num === true ? 'num' : ''}>
        {name}
      </th>
    )
  }
  const { requested, shown } = sorting
  const order = requested.sort === sort ? requested.order : null
  const direction = shown.sort === sort ? directions[shown.order] : 'none'
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

/** Keeps the focus of a row that moves, which Safari would drop. */
const useKeptFocus = () => {
  const body = useRef<HTMLTableSectionElement>(null)
  const { activeElement } = document
  const focused = body.current?.contains(activeElement) === true ? activeElement : null
  useLayoutEffect(() => {
    const isLost = focused?.isConnected === true && document.activeElement !== focused
    if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  })
  return body
}

type TableProps = {
  readonly caption: string
  readonly pools: readonly Pool[]
  /** Null if the order is fixed. */
  readonly sorting: Sorting | null
  readonly onSort?: (sort: Sort) => void
  /** The rows are of the previous query; a new response is pending. */
  readonly waiting?: boolean
}

export const PoolTable = (props: TableProps) => {
  const { caption, pools, sorting, onSort = () => {}, waiting = false } = props
  const body = useKeptFocus()
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
        <tbody ref={body}>
          {pools.map((pool) => (
            <PoolRow key={pool.id} pool={pool} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
