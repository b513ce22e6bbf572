import { expect, test } from 'vitest'
import { defaultSettings, parseOptions, settingsAsFlags } from './options.ts'

test('uses the defaults without flags', () => {
  expect(parseOptions([])).toEqual({
    ...{ dataDir: './data/sandbox', anvilPort: 0, httpPort: 0 },
    settings: defaultSettings,
  })
})

test('settings survive a round trip through flags', () => {
  const settings = { ...defaultSettings, seed: 7, pastHours: 0.2, traders: false }
  expect(parseOptions(settingsAsFlags(settings)).settings).toEqual(settings)
})

test.each([
  ['--seed=x', '--seed'],
  ['--seed=-1', '--seed'],
  ['--past-hours=', '--past-hours'],
  ['--past-hours=1000', '--past-hours'],
  ['--block-time=0', '--block-time'],
  ['--http-port=70000', '--http-port'],
  ['--traders=yes', '--traders'],
  ['--colour=red', '--colour'],
])('rejects %s and names the flag', (flag, name) => {
  expect(() => parseOptions([flag])).toThrow(name)
})
