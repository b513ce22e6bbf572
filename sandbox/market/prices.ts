import { createRandom, type Random, seedFor } from '../random.ts'
import { priceFactorOf, priceKeyOf, type TokenSpec } from '../world/tokens.ts'

/** One US dollar price per token, shared by quotes, feeds and traders. */
export type Prices = {
  /** US dollars per whole token; throws for an unknown key. */
  readonly usd: (key: string) => number
  readonly add: (spec: TokenSpec) => void
  /** Advances all prices by the given time. */
  readonly advance: (seconds: number) => void
  readonly dayRange: (key: string) => { readonly low: number; readonly high: number }
  readonly save: () => SavedPrices
}

export type SavedPrices = Readonly<Record<string, PriceState>>

type PriceState = {
  anchor: number
  dayVolatility: number
  usd: number
  low: number
  high: number
  randomState: number
}

/** Strength of the reversion to the anchor, per day. */
const reversionPerDay = 1.5

const daySeconds = 86_400

/** Independent geometric random walks with mean reversion (Ornstein-Uhlenbeck in the logarithm). */
export function createPrices(seed: number, saved: SavedPrices = {}): Prices {
  const states = new Map<string, PriceState>(Object.entries(structuredClone(saved)))
  const randoms = new Map<string, Random>()
  for (const [key, state] of states) randoms.set(key, createRandom(state.randomState))

  const stateOf = (key: string): PriceState => {
    const state = states.get(priceKeyOf(key))
    if (!state) throw new Error(`no price for ${key}`)
    return state
  }
  const add = (spec: TokenSpec): void => {
    const key = priceKeyOf(spec.key)
    if (states.has(key)) return
    const random = createRandom(seedFor(seed, `price ${key}`))
    const { usd, dayVolatility } = spec
    const range = { low: usd, high: usd, randomState: random.state() }
    states.set(key, { anchor: usd, dayVolatility, usd, ...range })
    randoms.set(key, random)
  }
  const advance = (seconds: number): void => {
    for (const [key, state] of states) step(state, randoms.get(key) as Random, seconds / daySeconds)
  }
  return {
    usd: (key) => stateOf(key).usd * priceFactorOf(key),
    add,
    advance,
    dayRange: (key) => {
      const factor = priceFactorOf(key)
      return { low: stateOf(key).low * factor, high: stateOf(key).high * factor }
    },
    save: () => structuredClone(Object.fromEntries(states)),
  }
}

function step(state: PriceState, random: Random, days: number): void {
  const pull = reversionPerDay * Math.log(state.anchor / state.usd) * days
  const push = state.dayVolatility * Math.sqrt(days) * random.normal()
  state.usd *= Math.exp(pull + push)
  // The day's range decays instead of storing a day, accurate enough for display.
  const decay = Math.min(1, days)
  state.low = Math.min(state.usd, state.low + (state.usd - state.low) * decay)
  state.high = Math.max(state.usd, state.high + (state.usd - state.high) * decay)
  state.randomState = random.state()
}
