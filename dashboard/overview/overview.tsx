import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Pool } from '../../src/client/types.ts'
import { go } from '../live/route.ts'
import { useService } from '../live/service.ts'
import { useStream } from '../live/use-stream.ts'
import { Nothing } from '../parts/notice.tsx'
import { Filters } from '../pools/filters.tsx'
import { Pager } from '../pools/pager.tsx'
import { type PoolQuery, readPoolQuery, sortedBy, writePoolQuery } from '../pools/pool-query.ts'
import { PoolTable } from '../pools/pool-table.tsx'
import { type Listing, usePools } from '../pools/use-pools.ts'
import { Movers } from './movers.tsx'
import { Tape } from './tape.tsx'
import { Tiles } from './tiles.tsx'
import { useTape } from './use-tape.ts'

const newerOf = (asked: Pool, told: Pool | undefined): Pool =>
  told !== undefined && (told.asOfBlock ?? 0) > (asked.asOfBlock ?? 0) ? told : asked

type Told = ReadonlyMap<string, Pool>

/** Of what was told, that which the rows do not contain. */
const newerThan = (rows: readonly Pool[], told: Told): Told =>
  new Map(
    rows
      .map((row) => ({ row, newer: newerOf(row, told.get(row.id)) }))
      .flatMap(({ row, newer }) => (newer === row ? [] : [[row.id, newer]])),
  )

/** Rows with what the stream told of them since; `forget` takes back what was of later blocks. */
const useLiveRows = (rows: readonly Pool[]) => {
  const [told, setTold] = useState<Told>(new Map())
  const ids = useMemo(() => new Set<string>(rows.map(({ id }) => id)), [rows])
  // An answer may be older than what was told while it was on its way.
  useEffect(() => setTold((known) => newerThan(rows, known)), [rows])
  return {
    rows: rows.map((row) => newerOf(row, told.get(row.id))),
    hear: (pool: Pool) => {
      if (ids.has(pool.id)) setTold((known) => new Map(known).set(pool.id, pool))
    },
    forget: (afterBlock: number | null) =>
      setTold((known) => {
        const holds = ({ asOfBlock }: Pool) => (asOfBlock ?? 0) <= (afterBlock ?? -1)
        return new Map([...known].filter(([, pool]) => holds(pool)))
      }),
  }
}

const topics = ['pool', 'swap', 'source'] as const

const noRows: readonly Pool[] = []

/** Why there are none. */
const NoRows = ({ page, waiting }: Listing & { readonly waiting: boolean }) => {
  if (waiting) return <Nothing error={null} what="pools" />
  return (
    <p class="nothing">
      {page.total === 0
        ? 'No pool matches. Fewer words or filters find more.'
        : 'There are fewer pages than that.'}
    </p>
  )
}

const Table = ({ query, swapsHeard }: TableProps) => {
  const { symbols } = useService()
  const pools = usePools(query)
  const { value, error, waiting } = pools
  const live = useLiveRows(value?.page.items ?? noRows)
  const change = (next: PoolQuery, how: 'push' | 'replace' = 'push') =>
    go(writePoolQuery(next), how)
  useStream({ topics }, (event) => {
    swapsHeard(event)
    if (event.topic === 'pool') live.hear(event.data)
    if (event.topic !== 'resync' && event.topic !== 'rollback') return
    live.forget(event.topic === 'rollback' ? event.data.afterBlock : null)
    pools.again()
  })
  const names = useMemo(() => [...symbols].sort(), [[...symbols].join()])
  return (
    <section class="panel pools-panel" aria-label="Pools">
      <Filters query={query} symbols={names} onChange={change} />
      {value === null ? (
        <Nothing error={error} what="pools" />
      ) : (
        <>
          <PoolTable
            caption="Pools of tokenized stocks"
            pools={live.rows}
            stockSymbols={symbols}
            sorting={{ asked: query, shown: value.query }}
            onSort={(sort) => change(sortedBy(query, sort))}
            waiting={waiting}
          />
          {value.page.items.length === 0 ? <NoRows {...value} waiting={waiting} /> : null}
          <Pager asked={query.page} shown={value} onPage={(page) => change({ ...query, page })} />
        </>
      )}
    </section>
  )
}

type TableProps = {
  readonly query: PoolQuery
  readonly swapsHeard: ReturnType<typeof useTape>['hear']
}

export const Overview = ({ search }: { readonly search: string }) => {
  const query = useMemo(() => readPoolQuery(search), [search])
  const tape = useTape()
  useEffect(() => {
    document.title = 'stockpools'
  }, [])
  return (
    <>
      <h1 class="hidden">Pools of tokenized stocks</h1>
      <Tiles />
      <div class="duo">
        <Movers />
        <Tape swaps={tape.swaps} waiting={tape.waiting} />
      </div>
      <Table query={query} swapsHeard={tape.hear} />
    </>
  )
}
