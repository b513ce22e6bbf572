import type { PoolView } from '../../../src/domain/views/pool.ts'
import type { HealthView } from '../../../src/domain/views/service.ts'
import type { StockView } from '../../../src/domain/views/stock.ts'
import { createApi, sleep } from '../api.ts'
import { baseUrl, sandboxDir } from '../shared.ts'
import { createChain, readManifest } from './chain.ts'
import { createEventLog } from './events.ts'
import { openStored, type StoredState } from './stored.ts'

/** What the service says, what it has stored, and the chain that both speak of. */
export const openService = () => {
  const manifest = readManifest(sandboxDir)
  const chain = createChain(manifest)
  return {
    manifest,
    chain,
    events: createEventLog(chain, manifest),
    api: createApi(baseUrl),
    stored: openStored(sandboxDir),
  }
}

export type Service = ReturnType<typeof openService>

/** Everything as of one block, and by the same quotes. */
export type Moment = {
  readonly block: number
  readonly ts: number
  readonly pools: readonly PoolView[]
  readonly stocks: readonly StockView[]
  readonly health: HealthView
  readonly stored: StoredState
}

const waitMs = 25
const waitMsMax = 240_000

/** What moves with every block. */
const nothingOfPools = {
  ...{ pools: null, bestPoolId: null, poolPriceUsd: null, premiumBps: null, driftBps: null },
  ...{ liquidityUsd: null, vol24hUsd: null, vol24hFilteredUsd: null, washShare24h: null },
}

/** What publishers say of the stocks. */
const wordsOf = (stocks: readonly StockView[]): string =>
  JSON.stringify(
    stocks
      .map((row) => ({ ...row, ...nothingOfPools }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  )

/** Seconds of live trading that a moment must know of. */
const liveSecondsMin = 8

/** At first the replies are of the past, and a machine that stood still has old quotes. */
const isUnderWay = ({ ts, writerStartedTs }: StoredState, { sources }: HealthView): boolean =>
  ts >= writerStartedTs + liveSecondsMin && sources.every(({ state }) => state === 'ok')

/** Tokens are asked a moment after their pool is seen: until then its row knows less of them. */
const hasKnownDecimals = ({ decimals }: StoredState, row: PoolView): boolean => {
  const read = [row.token0, row.token1].map((token) => decimals.get(token))
  const isUnknown = row.sqrtPriceX96 !== null && read.includes(null)
  return !read.includes(undefined) && row.statusReasons.includes('decimals_unknown') === isUnknown
}

const takeMoment = async ({ api, stored }: Service): Promise<Moment> => {
  // A new block comes every quarter of a second, so one of these is the one that the API shows.
  const states = new Map<number, StoredState>()
  const look = (): void => {
    const state = stored.state()
    states.set(state.block, state)
  }
  for (const deadline = Date.now() + waitMsMax; Date.now() < deadline; await sleep(waitMs)) {
    look()
    const before = await api.readAll<StockView>('/api/v1/stocks')
    const pools = await api.readAll<PoolView>('/api/v1/pools')
    const health = await api.read<HealthView>('/api/v1/health')
    const stocks = await api.readAll<StockView>('/api/v1/stocks')
    look()
    const blocks = new Set(pools.map((pool) => pool.asOfBlock))
    const state = states.get(pools[0]?.asOfBlock ?? -1)
    const isStill = blocks.size === 1 && wordsOf(before) === wordsOf(stocks)
    if (!isStill || state === undefined || !isUnderWay(state, health)) continue
    if (!stocks.every(({ dataStatus }) => dataStatus === 'fresh')) continue
    if (!pools.every((row) => hasKnownDecimals(state, row))) continue
    return { block: state.block, ts: state.ts, pools, stocks, health, stored: state }
  }
  throw new Error(`no two readings spoke of the same moment for ${waitMsMax / 1000} s`)
}

const readingsMax = 12

/**
 * A moment with what `read` finds on the chain at its block. The node remembers the states of the
 * last hundred blocks only: a reader that is too late starts again.
 */
export const atOneMoment = async <T>(
  service: Service,
  read: (moment: Moment) => Promise<T>,
): Promise<{ readonly moment: Moment; readonly found: T }> => {
  // What takes long is done before: the whole past of the chain.
  await service.events.upTo(await service.chain.head())
  for (let readings = 1; ; readings++) {
    const moment = await takeMoment(service)
    try {
      return { moment, found: await read(moment) }
    } catch (fault) {
      if (readings === readingsMax) throw fault
    }
  }
}
