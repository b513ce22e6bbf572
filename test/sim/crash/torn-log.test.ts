import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SimChain } from '../sim-chain.ts'
import { withStore } from './files.ts'
import { createRestartWorld, type RestartWorld } from './restart-world.ts'
import { faultsOf, integrityOf } from './soundness.ts'

/*
 * A commit is a row of frames at the end of the log, the last of which says that it is whole
 * (sqlite.org/fileformat2.html, "The Write-Ahead Log"):
 *
 *   header | frame frame frame! | frame! | frame frame fra
 *
 * A process that is killed inside of COMMIT leaves any beginning of the last row, and so does a
 * power cut of the last rows, because the log is not flushed at each commit. Whatever the cut, the
 * file must hold whole commits and all those before it.
 */

const headerBytes = 32
const frameHeaderBytes = 24

type Frame = { readonly from: number; readonly to: number; readonly isLast: boolean }

const framesOf = (log: Buffer): readonly Frame[] => {
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  const frames: Frame[] = []
  for (let from = headerBytes; from + frameBytes <= log.length; from += frameBytes) {
    // What is left of an earlier round has another salt.
    if (!log.subarray(from + 8, from + 16).equals(salt)) break
    frames.push({ from, to: from + frameBytes, isLast: log.readUInt32BE(from + 4) > 0 })
  }
  return frames
}

/** A life with a bootstrap, growth, a fork and finality, of which all lies in the log. */
const live = async (world: RestartWorld) => {
  const run = await world.start()
  await world.time.pass(3000)
  for (let rounds = 0; rounds < 3; rounds++) {
    world.grow(6, 3)
    await world.time.pass(2000)
    world.chain.fork(5)
    world.grow(7, 3)
    await world.time.pass(2000)
    world.chain.finalise(world.chain.head() - 6)
    await world.time.pass(2000)
  }
  run.abandon()
  return { file: readFileSync(world.path), log: readFileSync(`${world.path}-wal`) }
}

/** What is in a file whose log ends there, be it with nothing or with something that is no log. */
const lookAt = async (
  path: string,
  parts: { readonly file: Buffer; readonly log: Buffer },
  chain: SimChain,
) => {
  writeFileSync(path, parts.file)
  writeFileSync(`${path}-wal`, parts.log)
  const seen = await withStore(path, async (store) => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    return { faults: await faultsOf(store, chain), revision: header?.revision ?? -1 }
  })
  return { ...seen, integrity: integrityOf(path) }
}

/** Of `all`, so many that lie evenly between the first and the last. */
const spread = <T>(all: readonly T[], count: number): readonly T[] => {
  const stride = Math.max(1, all.length / count)
  return all.filter((_, at) => at === 0 || Math.floor(at / stride) > Math.floor((at - 1) / stride))
}

const cutsMax = process.env.TEST_TIER === 'T1' ? Number.POSITIVE_INFINITY : 20

test('a log that ends anywhere holds every commit before its end, and no part of one', {
  timeout: 900_000,
}, async () => {
  const world = createRestartWorld(1)
  const { file, log } = await world.time.governing(() => live(world))
  const frames = framesOf(log)
  const commits = frames.filter(({ isLast }) => isLast)
  expect(commits.length).toBeGreaterThan(50)
  const path = `${world.path}.torn`
  for (const { from, to } of spread(commits, cutsMax)) {
    const before = frames.findLast((frame) => frame.isLast && frame.to <= from)?.to ?? headerBytes
    const at = (end: number, tail = Buffer.alloc(0)) =>
      lookAt(path, { file, log: Buffer.concat([log.subarray(0, end), tail]) }, world.chain)
    const whole = await at(before)
    const garbage = Buffer.alloc(to - from - 100, 0x5a)
    expect(whole).toMatchObject({ faults: [], integrity: 'ok' })
    expect(await at(from + 100)).toEqual(whole)
    expect(await at(from + 100, garbage)).toEqual(whole)
    const next = await at(to)
    expect(next).toMatchObject({ faults: [], integrity: 'ok' })
    expect(next.revision).toBeGreaterThanOrEqual(whole.revision)
  }
  await world.end()
})
