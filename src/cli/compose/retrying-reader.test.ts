import { expect, test } from 'vitest'
import { sampleStore } from '../../../test/support/market/sample-market.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { OpenReader } from './open-store.ts'
import { createRetryingReader } from './retrying-reader.ts'

const opening = () => {
  const state = { isThere: false, opened: 0, closed: 0, nowMs: 0 }
  const reader: OpenReader = {
    ...sampleStore(),
    close: async () => {
      state.closed += 1
    },
  }
  const open = async (): Promise<Outcome<OpenReader, string>> => {
    state.opened += 1
    return state.isThere ? success(reader) : failure('store db.example is away')
  }
  return { state, patient: createRetryingReader(open, { nowMs: () => state.nowMs }) }
}

const readHeader = ({ snapshot }: OpenReader) => snapshot((each) => each.header())

test('a store that is away is asked once a second, however many want to read', async () => {
  const { state, patient } = opening()
  const asked = [readHeader(patient), readHeader(patient), readHeader(patient)]
  for (const each of asked) await expect(each).rejects.toThrow('store db.example is away')
  for (const nowMs of [300, 600, 900]) {
    state.nowMs = nowMs
    await expect(readHeader(patient)).rejects.toThrow('away')
  }
  expect(state.opened).toBe(1)
  state.nowMs = 1000
  await expect(readHeader(patient)).rejects.toThrow('away')
  expect(state.opened).toBe(2)
})

test('once it is there it stays open, and is closed at the end', async () => {
  const { state, patient } = opening()
  await expect(readHeader(patient)).rejects.toThrow('away')
  Object.assign(state, { isThere: true, nowMs: 1000 })
  expect(await readHeader(patient)).not.toBeNull()
  state.nowMs = 90_000
  await Promise.all([readHeader(patient), readHeader(patient)])
  expect(state.opened).toBe(2)
  await patient.close()
  expect(state.closed).toBe(1)
})

test('the end does not wait for one that is being opened, and closes it once it is', async () => {
  const opened = Promise.withResolvers<Outcome<OpenReader, string>>()
  let closed = 0
  const patient = createRetryingReader(() => opened.promise, { nowMs: () => 0 })
  const reading = readHeader(patient).catch(() => null)
  await patient.close()
  expect(closed).toBe(0)
  const close = async () => {
    closed += 1
  }
  opened.resolve(success({ ...sampleStore(), close }))
  await reading
  expect(closed).toBe(1)
})

test('one that was never there needs no end', async () => {
  const { state, patient } = opening()
  await patient.close()
  expect([state.opened, state.closed]).toEqual([0, 0])
})
