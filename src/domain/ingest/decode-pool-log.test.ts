import { describe, expect, it } from 'vitest'
import { createSampleChain, type RawLog } from '../../../test/support/domain/sample-chain.ts'
import { poolOf, rootPrice, tokens, venues } from '../../../test/support/domain/sample-market.ts'
import { factory, keccak, manager } from '../../../test/support/domain/sample-pool.ts'
import { v3Venue, v4Venue, venuesOf } from '../../../test/support/domain/sample-venues.ts'
import type { ChainLog } from '../chain/log.ts'
import type { Venues } from '../dex/venue.ts'
import type { Address, PoolId } from '../units.ts'
import { decodePoolLog, poolTopics } from './decode-pool-log.ts'

const stranger: Address = `0x${'d'.repeat(40)}`
const pair = { token0: tokens.apple, token1: tokens.weth }

/** The logs of a pool's creation, its first liquidity and one swap. */
const lifeOf = (version: 'v3' | 'v4') => {
  const chain = createSampleChain()
  const pool = poolOf(chain.emit, version, pair)
  pool.create(rootPrice(1n))
  pool.mint(-600, 600, 10n ** 18n)
  pool.swapTo(rootPrice(101n, 100n))
  chain.mine()
  return { pool, logs: chain.logs() }
}

const originOf = (id: PoolId) => {
  const { protocol, address } = id.length === 42 ? v3Venue : v4Venue
  return { protocol, venue: address }
}

const known = (followed: readonly PoolId[] = [], known: Venues = venues) => ({
  venues: known,
  keccak256: keccak,
  findPool: (id: PoolId) => (followed.includes(id) ? originOf(id) : undefined),
})

const kinds = (logs: readonly ChainLog[], followed: readonly PoolId[] = []) =>
  logs.map((log) => {
    const recognised = decodePoolLog(log, known(followed))
    return recognised.ok ? recognised.event.kind : recognised.reason
  })

const movedTo = (address: Address) => (log: ChainLog) => ({ ...log, address })

/** The log with one hexadecimal digit of its data or of a topic turned into another. */
const withWord = (log: ChainLog, change: Partial<RawLog>): ChainLog => ({ ...log, ...change })

describe('recognise', () => {
  it('knows the creation by a configured factory, and the events of pools that we follow', () => {
    const { pool, logs } = lifeOf('v3')
    expect(kinds(logs, [pool.id])).toEqual([
      'created',
      'initialized',
      'liquidity-changed',
      'swapped',
    ])
    expect(kinds(logs)).toEqual(['created', null, null, null])
  })

  it('knows the events of a configured PoolManager, of pools that we follow', () => {
    const { pool, logs } = lifeOf('v4')
    expect(kinds(logs, [pool.id])).toEqual(['created', 'liquidity-changed', 'swapped'])
    expect(kinds(logs)).toEqual(['created', null, null])
  })

  it('does not know a foreign factory, pool or PoolManager, whatever topic it emits', () => {
    const v3 = lifeOf('v3')
    expect(kinds(v3.logs.map(movedTo(stranger)), [v3.pool.id])).toEqual([null, null, null, null])
    // A factory is no pool, and a pool is no factory.
    expect(kinds(v3.logs.map(movedTo(factory)), [v3.pool.id]).slice(1)).toEqual([null, null, null])
    expect(kinds(v3.logs.slice(0, 1).map(movedTo(v3.pool.id)), [v3.pool.id])).toEqual([null])
    const v4 = lifeOf('v4')
    expect(kinds(v4.logs.map(movedTo(stranger)), [v4.pool.id])).toEqual([null, null, null])
  })

  it('leaves other topics of our contracts alone', () => {
    const [created] = lifeOf('v3').logs
    const other: ChainLog = { ...(created as ChainLog), topics: [`0x${'a'.repeat(64)}`] }
    expect(decodePoolLog(other, known())).toEqual({ ok: false, reason: null })
    expect(decodePoolLog({ ...other, topics: [] }, known())).toEqual({ ok: false, reason: null })
  })

  it('refuses a v3 pool at an address that its factory cannot have given', () => {
    const { pool, logs } = lifeOf('v3')
    const [created] = logs as [ChainLog]
    const data = `${created.data.slice(0, -40)}${stranger.slice(2)}` as RawLog['data']
    const forged = withWord(created, { data })
    expect(decodePoolLog(forged, known())).toEqual({
      ok: false,
      reason: 'the address of a v3 pool does not follow from its key and initCodeHash',
      example: `pool ${stranger} of ${factory}`,
    })
    // A fork whose pools' creation code is not known cannot be checked.
    const fork = venuesOf({ ...v3Venue, initCodeHash: null })
    expect(decodePoolLog(forged, known([], fork))).toMatchObject({ ok: true })
    expect(decodePoolLog(created, known([], fork))).toMatchObject({ event: { poolId: pool.id } })
  })

  it('refuses a v4 pool whose id is not the hash of its key, also by a configured manager', () => {
    const [created] = lifeOf('v4').logs as [ChainLog]
    const forgedId: PoolId = `0x${'7'.repeat(64)}`
    const topics = created.topics.with(1, forgedId)
    expect(decodePoolLog(withWord(created, { topics }), known())).toEqual({
      ok: false,
      reason: 'the id of a v4 pool does not follow from its key',
      example: `pool ${forgedId} of ${manager}`,
    })
    // Fee 3000 in the log, another in the id.
    const data = created.data.replace('bb8', 'bb9') as RawLog['data']
    expect(decodePoolLog(withWord(created, { data }), known())).toMatchObject({ ok: false })
  })

  it('refuses what one of our contracts cannot have meant', () => {
    const [created] = lifeOf('v4').logs as [ChainLog]
    expect(decodePoolLog(withWord(created, { data: '0x' }), known())).toEqual({
      ok: false,
      reason: 'Initialize: not the shape of this event',
      example: `block ${created.block}, log ${created.logIndex} of ${manager}`,
    })
  })

  describe('of two factories with the same events', () => {
    const forkFactory: Address = `0x${'1'.repeat(40)}`
    const fork = { ...v3Venue, address: forkFactory, name: 'Fork', initCodeHash: null }
    const forkPool: Address = `0x${'2'.repeat(40)}`
    /** The same pool, as a fork's factory and pool emit it. */
    const ofFork = () => {
      const [created, ...others] = lifeOf('v3').logs as [ChainLog, ...ChainLog[]]
      const data = `${created.data.slice(0, -40)}${forkPool.slice(2)}` as RawLog['data']
      return [{ ...created, address: forkFactory, data }, ...others.map(movedTo(forkPool))]
    }
    const decode = (logs: readonly ChainLog[], own: ReturnType<typeof known>) =>
      logs.map((log) => {
        const decoded = decodePoolLog(log, own)
        return decoded.ok ? [decoded.event.kind, decoded.event.poolId] : decoded.reason
      })

    it('reads the one that is configured', () => {
      const { pool, logs } = lifeOf('v3')
      expect(decode(ofFork(), known([pool.id]))).toEqual([null, null, null, null])
      expect(decode(logs, known([forkPool], venuesOf(fork)))).toEqual([null, null, null, null])
    })

    it('reads both if both are, each pool as its own', () => {
      const { pool, logs } = lifeOf('v3')
      const findPool = (id: PoolId) =>
        id === pool.id
          ? { protocol: 'uniswap-v3', venue: factory }
          : { protocol: 'uniswap-v3', venue: forkFactory }
      const both = { ...known([], venuesOf(v3Venue, fork)), findPool }
      const kindsOf = ['created', 'initialized', 'liquidity-changed', 'swapped']
      expect(decode(logs, both)).toEqual(kindsOf.map((kind) => [kind, pool.id]))
      expect(decode(ofFork(), both)).toEqual(kindsOf.map((kind) => [kind, forkPool]))
      expect(decodePoolLog(ofFork()[0] as ChainLog, both)).toMatchObject({
        event: { venue: forkFactory, protocol: 'uniswap-v3' },
      })
    })
  })

  // The id of a v4 pool is the hash of its key, whatever PoolManager holds it.
  it('leaves a pool to the PoolManager that it was found at', () => {
    const { pool, logs } = lifeOf('v4')
    const other = { ...v4Venue, address: stranger }
    const both = known([pool.id], venuesOf(v4Venue, other))
    const moved = logs.map(movedTo(stranger))
    expect(decodePoolLog(moved[0] as ChainLog, both)).toEqual({
      ok: false,
      reason: 'a pool of another venue has the same id',
      example: `pool ${pool.id} of ${stranger}`,
    })
    const later = moved.slice(1).map((log) => decodePoolLog(log, both))
    expect(later).toEqual([
      { ok: false, reason: null },
      { ok: false, reason: null },
    ])
  })

  it('asks the chain for the topics of both versions', () => {
    const all = [...lifeOf('v3').logs, ...lifeOf('v4').logs].map((log) => log.topics[0])
    expect(all.every((topic) => poolTopics.includes(topic as ChainLog['blockHash']))).toBe(true)
    // Forks share topics: PancakeSwap v3 and Slipstream have one of their own, Algebra nine,
    // PancakeSwap Infinity three, Ramses v3 two.
    expect(poolTopics.length).toBe(26)
    expect(new Set(poolTopics).size).toBe(26)
    expect(manager).not.toBe(factory)
  })
})
