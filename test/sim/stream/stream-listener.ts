import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createSseParser, type SseEvent } from '../../../src/client/sse-parser.ts'
import type { StreamChain } from './stream-chain.ts'
import { poolIdOf } from './stream-chain.ts'

/* A listener that applies the rules of docs/api.md and keeps the swaps that it should hold. */

export const swapKey = (swap: {
  readonly poolId: string
  readonly block: number
  readonly logIndex: number
  readonly txHash: string
}): string => `${swap.block} ${swap.logIndex} ${swap.txHash} ${swap.poolId}`

export const keysOf = (swaps: ReturnType<StreamChain['swaps']>): readonly string[] =>
  swaps.map((swap) => swapKey({ ...swap, poolId: poolIdOf(swap.pool) })).toSorted()

type Data = {
  readonly reason?: string
  readonly afterBlock?: number | null
} & Parameters<typeof swapKey>[0]

const sequenceOf = (id: string): number => Number(id.split('-')[1] ?? 0)
/** Of events from the store. */
const storeRun = '00000000'
const runOf = (id: string): string => id.split('-')[0] ?? ''

export const createStreamListener = (chain: StreamChain) => {
  const held = new Map<string, number>()
  const faults: string[] = []
  let missed = 0
  let lastId = ''
  let latest: { readonly block: number; readonly logIndex: number } | null = null
  let connection: { readonly asked: ClientRequest; reply: IncomingMessage | null } | null = null

  const refetch = (): void => {
    held.clear()
    latest = null
    for (const swap of chain.swaps())
      held.set(swapKey({ ...swap, poolId: poolIdOf(swap.pool) }), swap.block)
  }

  const checkId = ({ id, data }: SseEvent): void => {
    if (lastId === '') return
    const isMissed = (JSON.parse(data) as Data).reason === 'events_missed'
    // What comes from the store has no sequence; the test of its swaps is that none is missing.
    const isOfRun = runOf(id) === runOf(lastId) && runOf(id) !== storeRun
    const isNext = !isOfRun || sequenceOf(id) === sequenceOf(lastId) + 1
    if (!isNext && !isMissed) faults.push(`${id} after ${lastId}`)
  }

  const addSwap = (swap: Data): void => {
    const { block, logIndex } = swap
    const isInOrder =
      latest === null ||
      block > latest.block ||
      (block === latest.block && logIndex > latest.logIndex)
    if (!isInOrder) faults.push(`${block}:${logIndex} after ${JSON.stringify(latest)}`)
    latest = { block, logIndex }
    held.set(swapKey(swap), block)
  }

  const rollBack = (afterBlock: number | null): void => {
    if (!chain.ancestors.has(afterBlock)) faults.push(`${afterBlock} is no common ancestor`)
    for (const [key, block] of held) if (afterBlock === null || block > afterBlock) held.delete(key)
    latest = null
  }

  const hear = (event: SseEvent): void => {
    checkId(event)
    lastId = event.id
    const data = JSON.parse(event.data) as Data
    if (event.event === 'swap') addSwap(data)
    if (event.event === 'rollback') rollBack(data.afterBlock ?? null)
    if (event.event === 'resync') {
      if (data.reason === 'events_missed') missed += 1
      refetch()
    }
  }

  const read = (reply: IncomingMessage, onOpen: () => void): void => {
    let markedId = lastId
    const parse = createSseParser((id) => {
      markedId = id
    }, lastId)
    reply.setEncoding('utf8')
    reply.on('data', (chunk: string) => {
      for (const event of parse(chunk)) hear(event)
      // The last block may have an id and no event.
      lastId = markedId
      onOpen()
    })
    reply.on('error', () => {})
  }

  return {
    faults,
    held: () => [...held.keys()].toSorted(),
    /** Of the run that it hears, how far it is. */
    position: () => lastId.split('-').slice(0, 2).join('-'),
    /** How often the service had nothing to continue with. */
    missed: () => missed,
    isConnected: () => connection !== null,
    /** Resolves with the greeting; a new listener then fetches what is indexed. */
    connect: (port: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const isNew = lastId === ''
        const headers = isNew ? {} : { 'last-event-id': lastId }
        const asked = request({ host: '127.0.0.1', port, path: '/api/v1/stream', headers })
        const opening = { asked, reply: null as IncomingMessage | null }
        connection = opening
        asked.on('error', reject)
        asked.on('response', (reply) => {
          opening.reply = reply
          let isOpen = false
          read(reply, () => {
            if (!isOpen && isNew) refetch()
            isOpen = true
            resolve()
          })
        })
        asked.end()
      }),
    disconnect: (): void => {
      connection?.asked.on('error', () => {}).destroy()
      connection = null
    },
    pause: () => void connection?.reply?.pause(),
    resume: () => void connection?.reply?.resume(),
  }
}

export type StreamListener = ReturnType<typeof createStreamListener>
