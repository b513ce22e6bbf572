import type { Depth, Pool } from '../../src/client/types.ts'
import { api } from '../live/api.ts'
import { useAnswer } from '../live/use-answer.ts'
import { useSeen } from '../live/use-seen.ts'
import { OriginLine } from '../parts/origin.tsx'
import { LiquidityChart } from './liquidity-chart.tsx'

const refreshSeconds = 30

type ContentProps = { readonly pool: Pool; readonly answer: Depth | null; readonly error: unknown }

const Content = ({ pool, answer, error }: ContentProps) => {
  if (answer === null) {
    const words = 'The liquidity could not be loaded. Trying again …'
    return <p class="nothing">{error === null ? 'Loading the liquidity …' : words}</p>
  }
  const { depth } = answer
  if (depth === null || depth.midPriceInOther === null) {
    return (
      <p class="nothing">
        A swap in this pool cannot be computed, so its liquidity is not drawn. The box above says
        why.
      </p>
    )
  }
  if (depth.segments.length === 0) {
    return <p class="nothing">The pool has no liquidity between half and twice its price.</p>
  }
  return <LiquidityChart profile={depth} mid={depth.midPriceInOther} pool={pool} />
}

const Loaded = ({ pool }: { readonly pool: Pool }) => {
  const { value, error } = useAnswer({
    key: pool.id,
    ask: (signal) => api.poolDepth(pool.id, { segments: 'near' }, { signal }),
    everySeconds: refreshSeconds,
  })
  return (
    <div class="liquidity" aria-busy={value === null && error === null}>
      <div class="chart-head">
        <h2>
          Liquidity by price, <bdi>{pool.otherSymbol ?? 'other token'}</bdi> per {pool.stockSymbol}
        </h2>
        <OriginLine answer={value} />
      </div>
      <Content pool={pool} answer={value} error={error} />
    </div>
  )
}

/** Where the pool's liquidity lies. Asks nothing until it comes into sight. */
export const LiquidityPanel = ({ pool }: { readonly pool: Pool }) => {
  const { element, seen } = useSeen()
  return (
    <section class="panel liquidity-panel" ref={element}>
      {seen ? <Loaded pool={pool} /> : null}
    </section>
  )
}
