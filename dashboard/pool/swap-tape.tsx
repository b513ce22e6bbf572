import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Pool } from '../../src/client/types.ts'
import type { PoolNews } from '../live/pool-news.ts'
import { readSwapFilter, SwapFilters } from './swap-filters.tsx'
import { type SwapFilter, type SwapList, swapKey } from './swap-list.ts'
import { SwapRow } from './swap-row.tsx'
import { usePlace } from './use-place.ts'
import { useSwaps } from './use-swaps.ts'

/** As in the style sheet. */
const rowPixels = 28
/** Rows before the end of those loaded at which the next are asked for. */
const ahead = 30
const columns = 8
/** What scrolls is a stop of the Tab key, so that the arrow keys scroll it. */
const scrolledByKeys = { tabIndex: 0 } as const

const Head = ({ pool }: { readonly pool: Pool }) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" class="num">
        Age
      </th>
      <th scope="col">Side</th>
      <th scope="col" class="num">
        {pool.stockSymbol}
      </th>
      <th scope="col" class="num">
        Price, <bdi class="other-name">{pool.otherSymbol ?? 'other'}</bdi>
      </th>
      <th scope="col" class="num">
        USD
      </th>
      <th scope="col">
        <span class="hidden">Size</span>
      </th>
      <th scope="col" class="wide-only">
        Sender
      </th>
      <th scope="col" class="wide-only">
        Transaction
      </th>
    </tr>
  </thead>
)

/** The room of rows that are not drawn. */
const Room = ({ rows }: { readonly rows: number }) =>
  rows === 0 ? null : (
    <tr class="room">
      <td colSpan={columns} style={{ height: `${rows * rowPixels}px` }} />
    </tr>
  )

const rowSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Focuses the same control `by` rows further; false if that row is not drawn. */
const focusRow = (from: Element, by: number): boolean => {
  const row = from.closest('tr')
  if (row === null) return false
  const column = [...row.children].findIndex((cell) => cell.contains(from))
  const other = by === 1 ? row.nextElementSibling : row.previousElementSibling
  const control = other?.children[column]?.querySelector<HTMLElement>('a, button')
  control?.focus()
  return control != null
}

/** The arrow keys move the focus through the rows; what has it may go out of sight. */
const useRowKeys = () => {
  const body = useRef<HTMLTableSectionElement>(null)
  /** A step to a row that is not drawn yet. */
  const pending = useRef(0)
  const { activeElement } = document
  const focused = body.current?.contains(activeElement) === true ? activeElement : null
  useLayoutEffect(() => {
    if (focused === null) return
    if (!focused.isConnected) {
      body.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
    } else if (pending.current !== 0 && focusRow(focused, pending.current)) pending.current = 0
  })
  const onKeyDown = (event: KeyboardEvent) => {
    pending.current = 0
    const by = rowSteps[event.key]
    const from = event.target
    if (by === undefined || !(from instanceof Element) || from.closest('tr') === null) return
    // Without a row to focus the key scrolls, which draws it.
    if (focusRow(from, by)) event.preventDefault()
    else pending.current = by
  }
  return { body, onKeyDown }
}

type Source = ReturnType<typeof useSwaps>

const endWords: Readonly<Record<SwapList['end'], string>> = {
  first: 'The first swap is at the end.',
  'not-kept': 'Older swaps are not kept.',
}

const wordsOf = (
  { list, waiting, error, older, newer }: Source,
  { isNarrowed, isEnd }: Pick<FootProps, 'isNarrowed' | 'isEnd'>,
): string => {
  if (error !== null) return 'The swaps could not be loaded. Trying again …'
  if (list === null || waiting) return 'Loading swaps …'
  if (older === 'loading') return 'Loading older swaps …'
  if (newer === 'loading') return 'Loading newer swaps …'
  if (older === 'failed' || newer === 'failed') return 'More swaps could not be loaded.'
  if (list.older !== null || !isEnd) return ''
  if (list.rows.length > 0) return endWords[list.end]
  if (list.end === 'not-kept') return 'No swap is kept.'
  return isNarrowed ? 'No swap is like this.' : 'There has been no swap.'
}

type FootProps = {
  readonly source: Source
  readonly isNarrowed: boolean
  /** The last row is in sight, or nearly. */
  readonly isEnd: boolean
  readonly isAtTop: boolean
  readonly onTop: () => void
}

const Foot = ({ source, isNarrowed, isEnd, isAtTop, onTop }: FootProps) => (
  <div class="tape-foot">
    <p class="small" role="status">
      {wordsOf(source, { isNarrowed, isEnd })}
    </p>
    {source.older === 'failed' || source.newer === 'failed' ? (
      <button
        type="button"
        onClick={() => {
          if (source.older === 'failed') source.loadOlder()
          if (source.newer === 'failed') source.loadNewer()
        }}
      >
        Try again
      </button>
    ) : null}
    <button type="button" disabled={isAtTop} onClick={onTop}>
      Newest
    </button>
  </div>
)

type TapeProps = { readonly pool: Pool; readonly news: PoolNews; readonly search: string }

/** The swaps of this filter, and the reader's place among them. */
const useTape = ({ pool, news }: Omit<TapeProps, 'search'>, filter: SwapFilter) => {
  const isAtTop = useRef(true)
  const source = useSwaps({ id: pool.id, filter, news, isAtTop: () => isAtTop.current })
  const { list } = source
  const rows = list?.rows ?? []
  const keys = useMemo(() => rows.map(swapKey), [list])
  const place = usePlace({ keys, rowPixels, isLive: list?.newer === null })
  isAtTop.current = place.isAtTop
  const { from, to } = place.drawn
  useEffect(() => {
    if (to > rows.length - ahead && source.older === 'idle') source.loadOlder()
    if (from < ahead && source.newer === 'idle') source.loadNewer()
  })
  useEffect(place.toTop, [filter.side, filter.minUsd])
  const toTop = () => {
    place.toTop()
    if (list?.newer !== null) source.restart()
  }
  return { source, rows, place, toTop }
}

/** Confirmed swaps of the pool as far back as they are kept, newest first and live. */
export const SwapTape = ({ search, ...rest }: TapeProps) => {
  const { pool } = rest
  const filter = readSwapFilter(search)
  const { source, rows, place, toTop } = useTape(rest, filter)
  const { waiting, error } = source
  const largest = useMemo(() => Math.max(1, ...rows.map(({ amountUsd }) => amountUsd ?? 0)), [rows])
  const { from, to } = place.drawn
  const { body, onKeyDown } = useRowKeys()
  return (
    <section class="panel swaps" aria-busy={waiting && error === null}>
      <div class="chart-head">
        <h2>
          Swaps <span class="mute">live, confirmed</span>
        </h2>
        <SwapFilters {...filter} />
      </div>
      <section
        class="table-scroll tape-scroll"
        aria-label="Swaps, newest first"
        {...scrolledByKeys}
        ref={place.element}
        onScroll={place.onScroll}
        onKeyDown={onKeyDown}
      >
        <table aria-rowcount={-1}>
          <caption class="hidden">Swaps of this pool</caption>
          <Head pool={pool} />
          <tbody ref={body}>
            <Room rows={from} />
            {rows.slice(from, to).map((swap, at) => (
              <SwapRow
                key={swapKey(swap)}
                swap={swap}
                number={from + at + 2}
                largest={largest}
                isStop={from + at === place.first}
                hasArrived={source.hasArrived(swap)}
              />
            ))}
            <Room rows={rows.length - to} />
          </tbody>
        </table>
      </section>
      <Foot
        source={source}
        isNarrowed={filter.side !== null || filter.minUsd !== null}
        isEnd={to === rows.length}
        isAtTop={place.isAtTop}
        onTop={toTop}
      />
    </section>
  )
}
