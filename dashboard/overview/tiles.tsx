import type { ComponentChildren } from 'preact'
import type { Health, Status } from '../../src/client/types.ts'
import { formatInteger, formatUsdPrice } from '../format/number.ts'
import { formatAge, formatTs } from '../format/time.ts'
import { useService } from '../live/service.ts'
import { useNow } from '../live/use-now.ts'
import { CellFigure, Figure } from '../parts/figure.tsx'
import { Tip } from '../parts/tip.tsx'
import { sourceWords, stateWords } from '../words/source-words.ts'

type TileProps = { readonly name: string; readonly children: ComponentChildren }

const Tile = ({ name, children }: TileProps) => (
  <div class="tile">
    <h2>{name}</h2>
    {children}
  </div>
)

const PoolsTile = ({ pools, ts }: Pick<Health, 'pools' | 'ts'>) => {
  const stockStock = pools.total - pools.meme - pools.canonical
  const shares = [
    ['canonical', pools.canonical],
    ['meme', pools.meme],
    ['stock-stock', stockStock],
  ] as const
  return (
    <Tile name="Pools">
      <p class="big">
        <Figure source="All indexed pools of a stock." ts={ts}>
          {formatInteger(pools.total)}
        </Figure>
      </p>
      <svg class="shares" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        {shares.map(([kind, count], at) => {
          const before = shares.slice(0, at).reduce((sum, [, each]) => sum + each, 0)
          const scale = pools.total === 0 ? 0 : 100 / pools.total
          return (
            <rect
              key={kind}
              class={`share-${kind}`}
              x={before * scale}
              width={count * scale}
              height="4"
            />
          )
        })}
      </svg>
      <p class="small">
        {shares.map(([kind, count]) => (
          <span key={kind} class={`key key-${kind}`}>
            <CellFigure source={`Number of ${kind} pools.`} ts={ts}>
              {formatInteger(count)} {kind}
            </CellFigure>
          </span>
        ))}
      </p>
    </Tile>
  )
}

const ActiveTile = ({ pools, ts }: Pick<Health, 'pools' | 'ts'>) => (
  <Tile name="Active">
    <p class="big">
      <Figure source="Traded within a week, with liquidity in range." ts={ts}>
        {formatInteger(pools.active)}
      </Figure>
    </p>
    <p class="small">
      <CellFigure source="Traded within minutes, with volume or depth." ts={ts}>
        <a href="/?hot=true">{formatInteger(pools.hot)} hot</a>
      </CellFigure>{' '}
      ·{' '}
      <CellFigure source="Uniswap v3 pools, active or not." ts={ts}>
        <a href="/?version=v3">{formatInteger(pools.v3)} v3</a>
      </CellFigure>{' '}
      ·{' '}
      <CellFigure source="Uniswap v4 pools, active or not." ts={ts}>
        <a href="/?version=v4">{formatInteger(pools.v4)} v4</a>
      </CellFigure>
    </p>
  </Tile>
)

const BlockTile = ({ chain, policy }: Pick<Status, 'chain' | 'policy'>) => {
  const now = useNow()
  const age = chain.indexedTs === null ? null : now - chain.indexedTs
  const late = age === null || age > policy.poolMaxAgeSeconds
  const verified = chain.verified
    ? 'Cross-checked by two endpoints.'
    : 'Not cross-checked: only one endpoint.'
  const source = `Head ${formatInteger(chain.headBlock)}, ${policy.confirmations} confirmations.`
  return (
    <Tile name="Indexed block">
      <p class="big">
        <Figure source={`${source}\n${verified}`} ts={chain.indexedTs}>
          {formatInteger(chain.indexedBlock)}
        </Figure>
      </p>
      <p class={late ? 'small bad' : 'small'}>
        {formatInteger(chain.lagBlocks)} behind · {age === null ? '–' : `${formatAge(age)} old`}
      </p>
    </Tile>
  )
}

type SourceRow = Status['sources'][number]

const SourceLine = ({ row }: { readonly row: SourceRow }) => {
  const now = useNow()
  const { source, state, lastSuccessTs, lastAttemptTs, lastError } = row
  const text = () =>
    [
      `${sourceWords[source]}: ${stateWords[state]}.`,
      `Last success ${formatTs(lastSuccessTs)}`,
      `Last attempt ${formatTs(lastAttemptTs)}`,
      ...(lastError === null ? [] : [lastError]),
    ].join('\n')
  return (
    <li class={`source ${state}`}>
      <Tip text={text} focusable>
        <span class="dot" aria-hidden="true" />
        <span class="source-name">{source}</span>
        <span class="source-state">{state}</span>
        <span class="source-age">
          {lastSuccessTs === null ? '' : formatAge(now - lastSuccessTs)}
        </span>
      </Tip>
      {lastError === null ? null : <span class="source-error">{lastError}</span>}
    </li>
  )
}

/** Overview of the service's state. */
export const Tiles = () => {
  const { health, status } = useService()
  const { value: summary } = health
  const { value: current } = status
  return (
    <section
      class="tiles"
      aria-label="Service status"
      aria-busy={summary === null || current === null}
    >
      <Tile name="ETH">
        <p class="big">
          <Figure source="Chainlink, or the deepest WETH/USDG pool." ts={summary?.ts ?? null}>
            {formatUsdPrice(summary?.ethUsd ?? null)}
          </Figure>
        </p>
        <p class="small">reference price of ETH</p>
      </Tile>
      {summary === null ? <Tile name="Pools">…</Tile> : <PoolsTile {...summary} />}
      {summary === null ? <Tile name="Active">…</Tile> : <ActiveTile {...summary} />}
      {current === null ? <Tile name="Indexed block">…</Tile> : <BlockTile {...current} />}
      <div class="tile sources">
        <h2>Sources</h2>
        <ul>
          {(current?.sources ?? []).map((row) => (
            <SourceLine key={row.source} row={row} />
          ))}
        </ul>
      </div>
    </section>
  )
}
