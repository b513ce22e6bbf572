import { afterAll, describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockView } from '../../src/domain/views/stock.ts'
import { type Arena, openArena, type Rows, secondsPerPass } from './arena.ts'
import { type Attack, attacks } from './attacks.ts'

/*
 * Every known way to buy a number, with what it costs and what it moves. Two equal markets are
 * played side by side; the attack happens in one of them. What differs of pools and stocks that are
 * not the attacker's is what he bought.
 */

/** At most so much is at risk, … */
const atRiskUsdMax = 25_000
/** … and then no number of another pool or stock moves by more than this share. */
const moveMax = 0.01

const opened: Arena[] = []
afterAll(async () => {
  for (const arena of opened) await arena.close()
})

const open = async (attack: Attack): Promise<Arena> => {
  const arena = await openArena(attack.options)
  opened.push(arena)
  return arena
}

/** What a publisher says is shown as it is said; the row's reasons say that nothing follows it. */
const quoted = new Set(['quoteUsd', 'quoteBid', 'quoteAsk', 'tokenUsd'])
/** Sums over all pools of a stock contain what the attacker's pools hold and trade. */
const sums = new Set(['liquidityUsd', 'vol24hUsd'])
/** Basis points are differences already, not levels. */
const isLevel = (name: string): boolean =>
  !name.endsWith('Bps') && !sums.has(name) && !quoted.has(name)

type Move = { readonly share: number; readonly of: string }

const noMove: Move = { share: 0, of: '-' }

const worse = (a: Move, b: Move): Move => (b.share > a.share ? b : a)

/** Infinite for a number that only one side knows. */
const shareOf = (honest: unknown, attacked: unknown): number => {
  if (honest === attacked) return 0
  if (typeof honest !== 'number' || typeof attacked !== 'number') return Number.POSITIVE_INFINITY
  return Math.abs(attacked / honest - 1)
}

const compareRow = (
  name: string,
  honest: PoolView | StockView,
  attacked: PoolView | StockView | undefined,
): Move => {
  const other = (attacked ?? {}) as Record<string, unknown>
  return Object.entries(honest)
    .filter(([field, value]) => typeof value === 'number' && isLevel(field))
    .map(([field, value]) => ({ share: shareOf(value, other[field]), of: `${name} ${field}` }))
    .reduce(worse, noMove)
}

const compareRows = (honest: Rows, attacked: Rows, own: ReadonlySet<string>): Move => {
  const pools = [...honest.pools]
    .filter(([id]) => !own.has(id))
    .map(([id, row]) =>
      compareRow(`${row.stockSymbol}/${row.otherSymbol ?? 'meme'}`, row, attacked.pools.get(id)),
    )
  const stocks = [...honest.stocks].map(([symbol, row]) =>
    // The best pool may be the one that is pushed: its own price is what it is.
    compareRow(symbol, row, attacked.stocks.get(symbol)),
  )
  const eth = { share: shareOf(honest.ethUsd, attacked.ethUsd), of: 'ethUsd' }
  return [...pools, ...stocks, eth].reduce(worse, noMove)
}

const play = async (attack: Attack) => {
  const [honest, attacked] = [await open(attack), await open(attack)]
  const { own, turn } = attack.begin(attacked)
  const ids = new Set<string>(own.map(({ id }) => id))
  const made = own.filter((pool) => !Object.values(attacked.honest).includes(pool))
  for (const arena of [honest, attacked]) {
    arena.jump(attack.ageSeconds ?? secondsPerPass)
    await arena.passSeconds(attack.ageSeconds === undefined ? 20 : 340)
  }
  let moved = noMove
  const comparable = new Set<string>()
  const reasons = new Set<string>()
  for (let second = 0; second < (attack.seconds ?? 120); second += secondsPerPass) {
    const { before, after } = turn?.(second) ?? {}
    await attacked.pass(before, after)
    await honest.pass()
    const rows = await attacked.rows()
    moved = worse(moved, compareRows(await honest.rows(), rows, ids))
    for (const pool of made) {
      const row = rows.pools.get(pool.id)
      if (row?.comparable) comparable.add(pool.id)
      for (const reason of row?.statusReasons ?? []) reasons.add(reason)
    }
  }
  return { moved, comparable: comparable.size, reasons: [...reasons] }
}

const header = `| attack | at risk | moves of others | reasons of the attacked pools |
|---|---|---|---|`

const lineOf = (attack: Attack, { moved, reasons }: Awaited<ReturnType<typeof play>>): string => {
  const cost = `$${attack.atRiskUsd.toLocaleString('en-US')}`
  const share = moved.share === 0 ? '0' : `${(moved.share * 100).toFixed(2)} %, ${moved.of}`
  return `| ${attack.name} | ${cost} | ${share} | ${reasons.join(' ')} |`
}

describe('for less than $25,000 at risk', () => {
  const lines: string[] = []

  test.each(attacks)('$name moves nothing else', async (attack) => {
    expect(attack.atRiskUsd).toBeLessThan(atRiskUsdMax)
    const played = await play(attack)
    lines.push(lineOf(attack, played))
    expect(played.moved.share, played.moved.of).toBeLessThanOrEqual(moveMax)
    expect(played.comparable).toBe(0)
  })

  test('the table in attacks.md says the same', async () => {
    await expect([header, ...lines, ''].join('\n')).toMatchFileSnapshot('./attacks.md')
  })
})

test('what costs more is seen: $750,000 buy a tenth of a price', async () => {
  const { moved } = await play({
    name: 'the real pool pushed by a tenth',
    atRiskUsd: 750_000,
    begin: (arena) => {
      const pool = arena.honest.apple
      return { own: [pool], turn: () => ({ after: () => arena.pushBy(pool, 0.9) }) }
    },
  })
  expect(moved.share).toBeGreaterThan(10 * moveMax)
})
