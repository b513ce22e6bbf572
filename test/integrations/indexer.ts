import { type Api, eventually } from '../service/api.ts'

/*
 * An indexer as an aggregator runs it by the DEX Screener Adapter specification 1.1: it asks for
 * the newest block, then for each block once and in order, and halts at the first answer that
 * breaks a rule. Amounts are kept as integers in units of 10^-50 tokens.
 */

type Amounts = { readonly asset0: string; readonly asset1: string }

export type FeedEvent = {
  readonly block: { readonly blockNumber: number; readonly blockTimestamp: number }
  readonly eventType: 'swap' | 'join' | 'exit'
  readonly txnId: string
  readonly txnIndex: number
  readonly eventIndex: number
  readonly maker: string
  readonly pairId: string
  readonly asset0In?: string
  readonly asset1In?: string
  readonly asset0Out?: string
  readonly asset1Out?: string
  readonly amount0?: string
  readonly amount1?: string
  readonly priceNative?: string
  readonly reserves?: Amounts
}

export type Pair = {
  readonly id: string
  readonly dexKey: string
  readonly asset0Id: string
  readonly asset1Id: string
  readonly feeBps?: number
}

const decimalText = /^(0|[1-9]\d*)\.\d+$/
const placesMax = 50

const halt = (reason: string, of: unknown): never => {
  throw new Error(`indexing halts: ${reason}: ${JSON.stringify(of)}`)
}

/** In units of 10^-50. */
const parse = (text: string | undefined): bigint => {
  if (text === undefined || !decimalText.test(text)) return halt('no amount', text)
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > placesMax) halt('too many decimals', text)
  return BigInt(whole + fraction.padEnd(placesMax, '0'))
}

type Held = readonly [bigint, bigint]

const isWithin = (value: bigint, low: bigint, high: bigint): boolean =>
  value >= low && value <= high

/** More than any venue's fee, in percent of what is paid. */
const feePercentMax = 15n

/** Whether what a pool holds after an event follows from what it held before. */
const agrees = (before: Held, after: Held, event: FeedEvent, slack: Held): boolean => {
  const isSame = (at: 0 | 1, expected: bigint) =>
    isWithin(after[at], expected - slack[at], expected + slack[at])
  if (event.eventType !== 'swap') {
    const sign = event.eventType === 'join' ? 1n : -1n
    return (
      isSame(0, before[0] + sign * parse(event.amount0)) &&
      isSame(1, before[1] + sign * parse(event.amount1))
    )
  }
  const isZeroIn = event.asset0In !== undefined
  const [paid, given] = isZeroIn ? ([0, 1] as const) : ([1, 0] as const)
  const amountIn = parse(isZeroIn ? event.asset0In : event.asset1In)
  const amountOut = parse(isZeroIn ? event.asset1Out : event.asset0Out)
  const least = (amountIn * (100n - feePercentMax)) / 100n
  const low = before[paid] + least - slack[paid]
  const high = before[paid] + amountIn + slack[paid]
  return isWithin(after[paid], low, high) && isSame(given, before[given] - amountOut)
}

const checkSwap = (event: FeedEvent): void => {
  const { asset0In, asset1In, asset0Out, asset1Out } = event
  const isPair = (paid?: string, given?: string, ...others: (string | undefined)[]) =>
    paid !== undefined && given !== undefined && others.every((each) => each === undefined)
  const isOne =
    isPair(asset0In, asset1Out, asset1In, asset0Out) ||
    isPair(asset1In, asset0Out, asset0In, asset1Out)
  if (!isOne) halt('not one asset in and the other out', event)
  if (parse(asset0In ?? asset1In) === 0n || parse(asset0Out ?? asset1Out) === 0n) {
    halt('a swap of nothing', event)
  }
  if (parse(event.priceNative) === 0n) halt('no price', event)
}

/** Units of the last place of each token by which rounding moves what a pool holds. */
const roundingUnits = 200n

type Options = { readonly blocksPerRequest: number; readonly prefix?: string }

/** Follows an adapter from a block on. */
export const createIndexer = (
  api: Api,
  { blocksPerRequest, prefix = '/integrations/dexscreener' }: Options,
) => {
  /** While an endpoint is not reachable, indexing waits for it. */
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, text } = await eventually(
      () => api.ask(`${prefix}${path}`),
      (reply) => reply.status !== 503,
    )
    if (status !== 200) halt(`GET ${path} answered ${status}`, text)
    return JSON.parse(text) as Body
  }

  const events: FeedEvent[] = []
  const pairs = new Map<string, Pair>()
  const units = new Map<string, Held>()
  const held = new Map<string, Held>()
  let next = 0
  let newest = -1

  const askPair = async (id: string): Promise<Pair> =>
    (await read<{ pair: Pair }>(`/pair?id=${id}`)).pair

  /** One smallest unit of each token, by what its amounts look like so far. */
  const unitsOf = (id: string, decimals: Held): Held => {
    units.set(id, decimals)
    return decimals
  }

  const learnPair = async (id: string): Promise<void> => {
    if (pairs.has(id)) return
    const pair = await askPair(id)
    pairs.set(id, pair)
    for (const asset of [pair.asset0Id, pair.asset1Id]) {
      const { asset: known } = await read<{ asset: { name: string; symbol: string } }>(
        `/asset?id=${asset}`,
      )
      if (known.name === '' || known.symbol === '') halt('a token without a name', asset)
    }
  }

  const placesOf = (text: string): bigint => {
    const fraction = text.split('.')[1] ?? ''
    return fraction === '0' ? 0n : BigInt(fraction.length)
  }

  /** The finest amount that was seen of a token is a whole number of its units. */
  const slackOf = (event: FeedEvent): Held => {
    const texts0 = [event.asset0In, event.asset0Out, event.amount0, event.reserves?.asset0]
    const texts1 = [event.asset1In, event.asset1Out, event.amount1, event.reserves?.asset1]
    const finest = (texts: (string | undefined)[], before: bigint) =>
      texts.reduce((most, text) => {
        const places = text === undefined ? 0n : placesOf(text)
        return places > most ? places : most
      }, before)
    const [places0, places1] = units.get(event.pairId) ?? [0n, 0n]
    const places = unitsOf(event.pairId, [finest(texts0, places0), finest(texts1, places1)])
    const slack = (count: bigint) => roundingUnits * 10n ** (BigInt(placesMax) - count)
    return [slack(places[0]), slack(places[1])]
  }

  const checkReserves = (event: FeedEvent): void => {
    const { pairId, reserves } = event
    const slack = slackOf(event)
    if (reserves === undefined) {
      held.delete(pairId)
      return
    }
    const after: Held = [parse(reserves.asset0), parse(reserves.asset1)]
    const before = held.get(pairId)
    if (before !== undefined && !agrees(before, after, event, slack)) {
      halt('reserves do not follow from the event', event)
    }
    held.set(pairId, after)
  }

  const checkPlace = (event: FeedEvent, before: FeedEvent | undefined, last: number): void => {
    const { block, txnIndex, eventIndex } = event
    if (block.blockNumber < next || block.blockNumber > last) halt('not asked for', event)
    if (before === undefined) return
    const ahead =
      block.blockNumber - before.block.blockNumber ||
      txnIndex - before.txnIndex ||
      eventIndex - before.eventIndex
    if (ahead <= 0) halt('not in order, or twice', event)
    if (block.blockTimestamp < before.block.blockTimestamp) halt('time goes back', event)
  }

  const take = async (event: FeedEvent, last: number): Promise<void> => {
    checkPlace(event, events.at(-1), last)
    await learnPair(event.pairId)
    if (event.eventType === 'swap') checkSwap(event)
    else if (parse(event.amount0) + parse(event.amount1) === 0n) halt('nothing moved', event)
    checkReserves(event)
    events.push(event)
  }

  return {
    events,
    pairs,
    held,
    newest: () => newest,
    /** Asks for all blocks that are announced. */
    catchUp: async (): Promise<void> => {
      const { block } = await read<{ block: { blockNumber: number } }>('/latest-block')
      if (block.blockNumber < newest) halt('the newest block goes back', block)
      newest = block.blockNumber
      while (next <= newest) {
        const last = Math.min(next + blocksPerRequest - 1, newest)
        const path = `/events?fromBlock=${next}&toBlock=${last}`
        const found = await read<{ events: FeedEvent[] }>(path)
        for (const event of found.events) await take(event, last)
        next = last + 1
      }
    },
    /** Asks again for what must never change. */
    checkPairs: async (): Promise<void> => {
      for (const [id, pair] of pairs) {
        const again = await askPair(id)
        if (JSON.stringify(again) !== JSON.stringify(pair)) halt('a pair changed', again)
      }
    },
  }
}

export type Indexer = ReturnType<typeof createIndexer>
