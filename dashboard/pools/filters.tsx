import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { everything, type PoolQuery, type Sort } from './pool-query.ts'

type FiltersProps = {
  readonly query: PoolQuery
  readonly symbols: readonly string[]
  readonly onChange: (query: PoolQuery, how: 'push' | 'replace') => void
}

/** Debounce time of the search box. */
const typingMs = 120

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

type TypingProps = Omit<FiltersProps, 'symbols'>

/** Shows typed text at once and searches after a pause. */
const useTyping = ({ query, onChange }: TypingProps) => {
  const [typed, setTyped] = useState(query.q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(query.q)
  // Filters that are chosen during the pause apply to the search as well.
  const latest = useRef(query)
  latest.current = query
  const show = (text: string) => {
    clearTimeout(timer.current)
    searched.current = text
    setTyped(text)
  }
  useEffect(() => {
    // The URL has changed by other means than typing.
    if (query.q !== searched.current) show(query.q)
  }, [query.q])
  // A layout effect, because a page that is left before its first paint runs no other.
  useLayoutEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      searched.current = text
      onChange({ ...latest.current, q: text, page: 1 }, 'replace')
    }, typingMs)
  }
  return { typed, type, show }
}

type SearchProps = { readonly typed: string; readonly onType: (text: string) => void }

const Search = ({ typed, onType }: SearchProps) => {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <input
      ref={box}
      type="search"
      class="search"
      placeholder="Search symbol, name, id or address  ( / )"
      aria-label="Search pools"
      maxLength={80}
      value={typed}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
  readonly class?: string
}

const Choice = ({ label, value, choices, onChoose, class: name = '' }: ChoiceProps) => (
  <select
    class={name}
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => onChoose(currentTarget.value)}
  >
    {choices.map(([choice, text]) => (
      <option key={choice} value={choice}>
        {text}
      </option>
    ))}
  </select>
)

const kindChoices = [
  ['', 'All kinds'],
  ['canonical', 'Canonical'],
  ['meme', 'Meme'],
  ['stock-stock', 'Stock–stock'],
] as const
const versionChoices = [
  ['', 'v3 + v4'],
  ['v3', 'v3'],
  ['v4', 'v4'],
] as const
const sortChoices = [
  ['liquidity', 'Most liquid'],
  ['depth', 'Deepest'],
  ['vol1h', 'Volume 1 h'],
  ['vol24h', 'Volume 24 h'],
  ['vol24hFiltered', 'Volume 24 h, filtered'],
  ['lastSwap', 'Last swap'],
  ['feeApr24h', 'Fee rate'],
  ['premium', 'Premium'],
  ['created', 'Newest'],
] as const

type ToggleProps = { readonly on: boolean; readonly text: string; readonly onToggle: () => void }

const Toggle = ({ on, text, onToggle }: ToggleProps) => (
  <button type="button" class="toggle" aria-pressed={on} onClick={onToggle}>
    {text}
  </button>
)

export const Filters = ({ query, symbols, onChange }: FiltersProps) => {
  const typing = useTyping({ query, onChange })
  const clear = () => {
    typing.show('')
    onChange(everything, 'push')
  }
  const set = (part: Partial<PoolQuery>) => onChange({ ...query, page: 1, ...part }, 'push')
  const isNarrowed = JSON.stringify({ ...query, page: 1 }) !== JSON.stringify(everything)
  const listed = query.symbol === '' || symbols.includes(query.symbol)
  const known = listed ? symbols : [query.symbol, ...symbols]
  return (
    <search class="filters">
      <Search typed={typing.typed} onType={typing.type} />
      <Choice
        label="Stock"
        value={query.symbol}
        choices={[['', 'All stocks'], ...known.map((each) => [each, each] as const)]}
        onChoose={(symbol) => set({ symbol })}
      />
      <Choice
        label="Kind"
        value={query.kind ?? ''}
        choices={kindChoices}
        onChoose={(kind) => set({ kind: kind === '' ? null : (kind as 'meme') })}
      />
      <Choice
        label="Version"
        value={query.version ?? ''}
        choices={versionChoices}
        onChoose={(version) => set({ version: version === '' ? null : (version as 'v3') })}
      />
      <Choice
        label="Sort"
        class="sort-choice"
        value={query.sort}
        choices={sortChoices}
        onChoose={(sort) => set({ sort: sort as Sort, order: 'desc' })}
      />
      <Toggle on={query.hot} text="Hot" onToggle={() => set({ hot: !query.hot })} />
      <Toggle
        on={query.comparable}
        text="Comparable"
        onToggle={() => set({ comparable: !query.comparable })}
      />
      {isNarrowed ? (
        <button type="button" class="clear" onClick={clear}>
          Clear
        </button>
      ) : null}
    </search>
  )
}
