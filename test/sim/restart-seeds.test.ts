import { expect, test } from 'vitest'
import { confirmations, crashNetwork } from './crash/crash-network.ts'
import { followedBy, isSearched } from './crash/network-files.ts'
import { createRestartWorld, type RestartRun, type RestartWorld } from './crash/restart-world.ts'
import { faultsOf } from './crash/soundness.ts'
import { playSeeds, timeLimitMs } from './seeds.ts'

const actsMax = 25
const depthMax = 8
const catchUpMs = 60_000

const headerOf = ({ store }: RestartRun) => store.snapshot((snapshot) => snapshot.header())

type Move = (world: RestartWorld, run: RestartRun) => Promise<void> | void

const growth: Move = ({ random, grow }) => grow(random.between(1, 4), 3)

/** Not below what is final. */
const fork: Move = async (world, run) => {
  const { chain, random } = world
  const deepest = chain.head() - (chain.finalBlock() ?? 0)
  const depth = Math.min(random.between(1, depthMax), deepest)
  if (depth < 1) return
  chain.fork(depth)
  await growth(world, run)
}

const finality: Move = ({ chain, random }) => chain.finalise(chain.head() - random.between(3, 12))

/** What the chain does; what is final is never taken back. */
const moves = { growth, fork, finality, nothing: () => {} } as const

/** What is broken; nothing is known while pools of a new network file are searched. */
const check = async ({ store, network }: RestartRun, { chain }: RestartWorld) =>
  (await isSearched(store, network)) ? faultsOf(store, chain, followedBy(network)) : []

/** Ends a run in one of the ways there are, and begins the next. */
const restart = async (world: RestartWorld, run: RestartRun): Promise<RestartRun> => {
  const drawn = world.random.weighted({ orderly: 2, abandoned: 3, overlapping: 1 })
  // Beside the next run, one with the earlier network file would index without what is new.
  const isSameNetwork = run.network === world.network()
  const way = drawn === 'overlapping' && !isSameNetwork ? 'orderly' : drawn
  if (way === 'abandoned') run.abandon()
  // The loops' own waits end by the virtual clock.
  const stopping = way === 'orderly' ? run.stop() : null
  await world.time.pass(1000)
  await stopping
  const next = await world.start()
  if (way !== 'overlapping') return next
  await world.time.pass(world.random.between(0, 3000))
  const late = run.stop()
  await world.time.pass(1000)
  await late
  return next
}

const standing = async (run: RestartRun, { chain }: RestartWorld) => {
  const header = await headerOf(run)
  const to = chain.anchor(chain.head() - confirmations)
  const isThere = header?.cursor?.hash === to?.hash
  // Blocks of the bootstrap are not checked: the finalized cursor begins above them.
  const settledTo = header?.finalizedCursor?.block ?? header?.backfillCursor?.startedAt
  const isSettled = settledTo === chain.finalBlock()
  const isComplete = await isSearched(run.store, crashNetwork)
  return isThere && isSettled && isComplete
    ? []
    : [`it did not catch up: ${JSON.stringify(header)}`]
}

const live = async (world: RestartWorld): Promise<readonly string[]> => {
  const { random, chain, time, journal } = world
  let run = await world.start()
  for (let acts = random.between(5, actsMax); acts > 0; acts--) {
    await time.pass(random.between(0, 2500))
    const move = random.weighted({ growth: 4, fork: 2, finality: 2, nothing: 2 })
    await moves[move](world, run)
    if (!random.percent(40)) continue
    if (run.network !== crashNetwork && random.percent(50)) world.completeNetwork()
    run = await restart(world, run)
    const faults = await check(run, world)
    if (faults.length > 0)
      console.log(JSON.stringify([...journal.of('info'), ...journal.of('warn')], null, 0))
    if (faults.length > 0) return faults
  }
  if (run.network !== crashNetwork) {
    world.completeNetwork()
    run = await restart(world, run)
  }
  // Beyond all that was there before: a head that went back is waited for.
  world.grow(Math.max(depthMax + 4, chain.peak() - chain.head() + confirmations), 3)
  chain.finalise(chain.head() - confirmations)
  await time.pass(catchUpMs)
  const faults = [...(await standing(run, world)), ...(await faultsOf(run.store, chain))]
  run.abandon()
  const wrong = journal.of('error').filter(({ message }) => message.startsWith('Unexpected error'))
  return [...faults, ...wrong.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`)]
}

const runRestartSeed = async (seed: number): Promise<readonly string[]> => {
  const world = createRestartWorld(seed)
  try {
    return await world.time.governing(() => live(world))
  } finally {
    await world.end()
  }
}

test(
  'stopped, abandoned or overtaken at any moment, the index resumes from its last commit',
  async () => {
    expect(await playSeeds('restart', runRestartSeed)).toEqual([])
  },
  timeLimitMs,
)
