import { expect, test } from 'vitest'
import { resolveConfig } from './config.ts'
import { fromConfigMessage, toConfigMessage } from './config-message.ts'

const secrets = ['https://one.example/key-1', 'https://two.example/?key=2']
const store = 'postgres://user:key-3@db.example/market'

const configWith = (...args: readonly string[]) => {
  const request = { role: 'start', args, environment: {} } as const
  const config = resolveConfig(request, null)
  if (!config.ok) throw new Error(config.fault)
  return config.value
}

test.each([
  [['--network', 'robinhood']],
  [['--network', 'robinhood', '--rpc', secrets.join(), '--store', store]],
])('%j comes to the same configuration in another thread', (args) => {
  const config = configWith(...args)
  const arrived = fromConfigMessage(structuredClone(toConfigMessage(config)))
  // Sealed URLs write themselves as their host: what they hide is compared as messages.
  expect(JSON.stringify(arrived)).toBe(JSON.stringify(config))
  expect(toConfigMessage(arrived)).toEqual(toConfigMessage(config))
})

test('what was sealed is sealed again, with the whole URL in it', () => {
  const config = configWith('--network', 'robinhood', '--rpc', secrets.join(), '--store', store)
  const arrived = fromConfigMessage(structuredClone(toConfigMessage(config)))
  expect(arrived.rpcUrls.map((url) => url.reveal())).toEqual(secrets)
  expect(`${arrived.rpcUrls} ${JSON.stringify(arrived)}`).not.toMatch(/key/)
})
