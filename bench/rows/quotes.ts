import type { PoolQuote } from '../../src/client/types.ts'
import { quoteSwap } from '../../src/domain/swap/quote-swap.ts'
import { createLoneClient } from '../api/alone.ts'
import { type Load, loadRequests, requestNumber } from '../api/load.ts'
import { costUnknown, type Goal, median, type Sample } from '../figure.ts'
import type { BenchContext, Group } from '../group.ts'
import { type OpenQuoter, openQuoter } from '../quoter/open-quoter.ts'
import type { BuyOrder } from '../quoter/quoter-calls.ts'
import { crossedMax } from '../quoter/thousand-ticks.ts'

/**
 * Rows 14 and 15: swap quotes of a pool of 1,000 ticks, by the function, by the service, and by
 * `eth_call` to QuoterV2 on the node that the service reads.
 */

/** Ticks that the quotes cross, and how much faster than QuoterV2 they are to be. */
const crossings = [
  { ticks: 5, ratioMin: 2 },
  { ticks: crossedMax, ratioMin: 10 },
] as const
const functionGoal: Goal = { kind: 'at-most', of: 'value', bound: 1 }
const quotesPerSecond = 400
const warmUpCount = 300
const checkedCount = 10

const nameOf = (ticks: number): string => `a quote across ${ticks} ticks`

const ownQuote = ({ quoted }: OpenQuoter, { exact, amount }: BuyOrder) => {
  const of = exact === 'input' ? 'other' : 'stock'
  const result = quoteSwap(quoted, { side: 'buy', amount: { of, raw: amount } })
  const quote = result.ok ? result.value.quote : null
  if (quote === null) throw new Error('the function has no quote')
  return quote
}

type Outcome = { readonly sqrtPriceX96After: string } & Pick<
  ReturnType<typeof ownQuote>,
  'amountInRaw' | 'amountOutRaw'
>

const textOf = ({ amountInRaw, amountOutRaw, sqrtPriceX96After }: Outcome): string =>
  [amountInRaw, amountOutRaw, sqrtPriceX96After].join(' ')

const pathOf = ({ path }: OpenQuoter, { exact, amount }: BuyOrder): string =>
  `${path}&${exact === 'input' ? 'other' : 'stock'}AmountRaw=${amount}`

/** Throws unless function, service and contract say the same, to the wei. */
const checkOrder = async (bench: OpenQuoter, order: BuyOrder): Promise<void> => {
  const { exact } = order
  const own = ownQuote(bench, order)
  const { quote } = await bench.service.api.read<PoolQuote>(pathOf(bench, order))
  const { amount, sqrtPriceX96 } = await bench.quoter.ask(order)
  const isInput = exact === 'input'
  const contract = textOf({
    amountInRaw: String(isInput ? order.amount : amount),
    amountOutRaw: String(isInput ? amount : order.amount),
    sqrtPriceX96After: String(sqrtPriceX96),
  })
  const served = quote === null ? 'no quote' : textOf(quote)
  if (served !== contract || textOf(own) !== contract) {
    throw new Error(`${pathOf(bench, order)}: ${served}, ${textOf(own)}, QuoterV2: ${contract}`)
  }
}

const checkAll = async (bench: OpenQuoter): Promise<void> => {
  for (const { ticks } of crossings) {
    const whole = bench.inputAcross(ticks)
    for (let at = 0n; at < checkedCount; at++) {
      const amount = whole - (at * whole) / 12_345_678n
      await checkOrder(bench, { exact: 'input', amount })
      const output = BigInt(ownQuote(bench, { exact: 'input', amount }).amountOutRaw)
      await checkOrder(bench, { exact: 'output', amount: output })
    }
  }
}

type Times = { readonly p99: number; readonly median: number }

const timeEach = async (count: number, work: (at: number) => unknown): Promise<Times> => {
  const times: number[] = []
  for (let at = 0; at < warmUpCount + count; at++) {
    const startedMs = performance.now()
    await work(at)
    if (at >= warmUpCount) times.push(performance.now() - startedMs)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { p99: sorted[Math.floor(count * 0.99)] ?? Number.NaN, median: median(times) }
}

const toSamples = (what: string, times: Times, goal: Goal | null): readonly Sample[] =>
  (['median', 'p99'] as const).map((kind) => ({
    row: 14,
    what: `${kind} of ${what}`,
    value: times[kind],
    unit: 'ms',
    limit: null,
    goal,
    cost: costUnknown,
    remark: null,
  }))

/** Row 14: one quote after the other, each of another amount. */
const measureAlone = async (
  bench: OpenQuoter,
  { options }: BenchContext,
): Promise<readonly Sample[]> => {
  const count = Math.ceil(options.seconds * quotesPerSecond)
  const client = createLoneClient(bench.service.api.baseUrl)
  const samples: Sample[] = []
  try {
    for (const { ticks } of crossings) {
      const whole = bench.inputAcross(ticks)
      const orderAt = (at: number): BuyOrder => ({ exact: 'input', amount: whole - BigInt(at) })
      const own = await timeEach(count, (at) => ownQuote(bench, orderAt(at)))
      const served = await timeEach(count, (at) => client.ask(pathOf(bench, orderAt(at))))
      samples.push(...toSamples(nameOf(ticks), own, functionGoal))
      samples.push(...toSamples(`${nameOf(ticks)} by HTTP`, served, null))
    }
  } finally {
    client.close()
  }
  return samples
}

const failIfAny = ({ failed }: Load, what: string): void => {
  if (failed > 0) throw new Error(`${what}: ${failed} requests failed`)
}

/** Row 15: the service and QuoterV2 under the same load. */
const measureLoad = async (
  bench: OpenQuoter,
  { options: { seconds } }: BenchContext,
): Promise<readonly Sample[]> => {
  const samples: Sample[] = []
  for (const { ticks, ratioMin } of crossings) {
    const whole = bench.inputAcross(ticks)
    const path = `${bench.path}&otherAmountRaw=${String(whole).slice(0, -9)}${requestNumber}`
    const requests = [await bench.quoter.createRequests(whole)]
    const before = await bench.service.usage()
    const own = await loadRequests(bench.service.api.baseUrl, [{ method: 'GET', path }], seconds)
    const after = await bench.service.usage()
    const asked = await loadRequests(bench.nodeUrl, requests, seconds)
    failIfAny(own, nameOf(ticks))
    failIfAny(asked, 'eth_call')
    samples.push({
      row: 15,
      what: `quotes across ${ticks} ticks`,
      value: own.perSecond,
      unit: 'quotes/s',
      limit: { what: 'by eth_call to QuoterV2', value: asked.perSecond },
      goal: { kind: 'at-least', of: 'ratio', bound: ratioMin },
      cost: {
        ...costUnknown,
        cpuSeconds: after.cpuSeconds - before.cpuSeconds,
        peakMb: after.rssMb,
      },
      remark: `${nameOf(ticks)}: p99 ${own.p99Ms} ms, by eth_call ${asked.p99Ms} ms`,
    })
  }
  return samples
}

export const quotesGroup: Group = {
  name: 'quotes',
  rows: [14, 15],
  open: async (context) => {
    const bench = await openQuoter(context.directory)
    context.say('a pool of 1,000 ticks is indexed')
    return {
      round: async () => {
        await checkAll(bench)
        const alone = context.isSelected(14) ? await measureAlone(bench, context) : []
        const loaded = context.isSelected(15) ? await measureLoad(bench, context) : []
        return [...alone, ...loaded]
      },
      omissions: () => [],
      close: bench.close,
    }
  },
}
