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
import { usePools } from '../pools/use-pools.ts'
import { Movers } from './movers.tsx'
import { Tape } from './tape.tsx'
import { Tiles } from './tiles.tsx'
import { useTape } from './use-tape.ts'

const newerOf = (asked: Pool, told: Pool | undefined): Pool =>
  told !== undefined && (told.asOfBlock ?? 0) > (asked.asOfBlock ?? 0) ? told : asked

/** Rows that the stream told of since they were asked for. */
const useLiveRows = (rows: readonly Pool[]) => {
  const [told, setTold] = useState<ReadonlyMap<string, Pool>>(new Map())
  const ids = useMemo(() => new Set<string>(rows.map(({ id }) => id)), [rows])
  useEffect(() => setTold(new Map()), [rows])
  return {
    rows: rows.map((row) => newerOf(row, told.get(row.id))),
    hear: (pool: Pool) => {
      if (ids.has(pool.id)) setTold((known) => new Map(known).set(pool.id, pool))
    },
  }
}

const topics = ['pool', 'swap', 'source'] as const

const noRows: readonly Pool[] = []

const Table = ({ query, swapsHeard }: TableProps) => {
  const { symbols } = useService()
  const pools = usePools(query)
  const { value, error, isCurrent } = pools
  const live = useLiveRows(value?.items ?? noRows)
  const change = (next: PoolQuery, how: 'push' | 'replace' = 'push') =>
    go(writePoolQuery(next), how)
  useStream({ topics }, (event) => {
    swapsHeard(event)
    if (event.topic === 'pool') live.hear(event.data)
    if (event.topic === 'resync' || event.topic === 'rollback') pools.again()
  })
  const names = useMemo(() => [...symbols].sort(), [[...symbols].join()])
  return (
    <section class="panel pools-panel" aria-label="Pools">
      <Filters query={query} symbols={names} onChange={change} />
      {value === null ? <Nothing error={error} what="pools" /> : null}
      {value === null ? null : (
        <PoolTable
          caption="Pools of tokenized stocks"
          pools={live.rows}
          stockSymbols={symbols}
          sorting={query}
          onSort={(sort) => change(sortedBy(query, sort))}
          waiting={!isCurrent}
        />
      )}
      {value !== null && value.items.length === 0 && isCurrent ? (
        <p class="nothing">No pool matches. Fewer words or filters find more.</p>
      ) : null}
      {value === null ? null : (
        <Pager
          page={query.page}
          total={value.total}
          onPage={(page) => change({ ...query, page })}
        />
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
        <Tape swaps={tape.swaps} />
      </div>
      <Table query={query} swapsHeard={tape.hear} />
    </>
  )
}
