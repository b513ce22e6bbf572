import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Pool } from '../../src/client/types.ts'
import { navigate } from '../live/route.ts'
import { useService } from '../live/service.ts'
import { useStream } from '../live/use-stream.ts'
import { Nothing } from '../parts/notice.tsx'
import { Resolved } from '../parts/resolved.tsx'
import { Filters } from '../pools/filters.tsx'
import { Pager } from '../pools/pager.tsx'
import { type PoolQuery, readPoolQuery, sortedBy, writePoolQuery } from '../pools/pool-query.ts'
import { PoolTable } from '../pools/pool-table.tsx'
import { type Listing, usePools } from '../pools/use-pools.ts'
import { Movers } from './movers.tsx'
import { Tape } from './tape.tsx'
import { Tiles } from './tiles.tsx'
import { useTape } from './use-tape.ts'

const newerOf = (fetched: Pool, streamed: Pool | undefined): Pool =>
  streamed !== undefined && (streamed.asOfBlock ?? 0) > (fetched.asOfBlock ?? 0)
    ? streamed
    : fetched

type Streamed = ReadonlyMap<string, Pool>

/** The streamed pools that are newer than their rows. */
const newerThan = (rows: readonly Pool[], streamed: Streamed): Streamed =>
  new Map(
    rows
      .map((row) => ({ row, newer: newerOf(row, streamed.get(row.id)) }))
      .flatMap(({ row, newer }) => (newer === row ? [] : [[row.id, newer]])),
  )

/** Rows updated by the stream; `forget` drops updates of replaced blocks. */
const useLiveRows = (rows: readonly Pool[]) => {
  const [streamed, setStreamed] = useState<Streamed>(new Map())
  const ids = useMemo(() => new Set<string>(rows.map(({ id }) => id)), [rows])
  // A response may be older than events that arrived during the request.
  useEffect(() => setStreamed((known) => newerThan(rows, known)), [rows])
  return {
    rows: rows.map((row) => newerOf(row, streamed.get(row.id))),
    update: (pool: Pool) => {
      if (ids.has(pool.id)) setStreamed((known) => new Map(known).set(pool.id, pool))
    },
    forget: (afterBlock: number | null) =>
      setStreamed((known) => {
        const holds = ({ asOfBlock }: Pool) => (asOfBlock ?? 0) <= (afterBlock ?? -1)
        return new Map([...known].filter(([, pool]) => holds(pool)))
      }),
  }
}

const topics = ['pool', 'swap', 'source'] as const

const noRows: readonly Pool[] = []

/** Explains an empty table. */
const NoRows = ({ page, waiting }: Listing & { readonly waiting: boolean }) => {
  if (waiting) return <Nothing error={null} what="pools" />
  return (
    <p class="nothing">
      {page.total === 0
        ? 'No pool matches. Try fewer words or filters.'
        : 'This page does not exist.'}
    </p>
  )
}

const Table = ({ query, onSwapEvent }: TableProps) => {
  const { symbols } = useService()
  const pools = usePools(query)
  const { value, error, waiting } = pools
  const live = useLiveRows(value?.page.items ?? noRows)
  const change = (next: PoolQuery, how: 'push' | 'replace' = 'push') =>
    navigate(writePoolQuery(next), how)
  useStream({ topics }, (event) => {
    onSwapEvent(event)
    if (event.topic === 'pool') live.update(event.data)
    if (event.topic !== 'resync' && event.topic !== 'rollback') return
    live.forget(event.topic === 'rollback' ? event.data.afterBlock : null)
    pools.again()
  })
  const names = useMemo(() => [...symbols].sort(), [[...symbols].join()])
  return (
    <section class="panel pools-panel" aria-label="Pools">
      <Filters query={query} symbols={names} onChange={change} />
      <Resolved text={query.q} />
      {value === null ? (
        <Nothing error={error} what="pools" />
      ) : (
        <>
          <PoolTable
            caption="Pools of tokenized stocks"
            pools={live.rows}
            sorting={{ requested: query, shown: value.query }}
            onSort={(sort) => change(sortedBy(query, sort))}
            waiting={waiting}
          />
          {value.page.items.length === 0 ? <NoRows {...value} waiting={waiting} /> : null}
          <Pager
            requested={query.page}
            shown={value}
            onPage={(page) => change({ ...query, page })}
          />
        </>
      )}
    </section>
  )
}

type TableProps = {
  readonly query: PoolQuery
  readonly onSwapEvent: ReturnType<typeof useTape>['onEvent']
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
      <Table query={query} onSwapEvent={tape.onEvent} />
    </>
  )
}
