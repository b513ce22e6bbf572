import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createClientKeys, createTrustedProxies, identifyClient } from './client-address.ts'

const noProxies = createTrustedProxies([])
const proxies = createTrustedProxies(['10.0.0.0/8', '127.0.0.1', '::1', '2001:db8:ffff::/48'])

describe('the client of a peer that is not a proxy', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    [undefined, 'unknown'],
    ['/run/socket', 'unknown'],
  ])('%s is %s', (peer, client) => {
    expect(identifyClient(peer, undefined, noProxies)).toBe(client)
    expect(identifyClient(peer, '198.51.100.7', noProxies)).toBe(client)
  })
})

// X-Forwarded-For as it arrives; on its right stands who spoke to our proxy.
describe('the client behind the proxy 10.0.0.1', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['1.1.1.1, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['1.1.1.1,198.51.100.7,127.0.0.1,10.1.2.3', '198.51.100.7'],
    ['10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['198.51.100.7, 2001:db8:ffff::5', '198.51.100.7'],
    ['198.51.100.7, ::ffff:10.0.0.2', '198.51.100.7'],
    ['', '10.0.0.1'],
    ['unknown', '10.0.0.1'],
    ['198.51.100.7, garbage', '10.0.0.1'],
    ['198.51.100.7, garbage, 10.0.0.2', '10.0.0.2'],
    ['198.51.100.7,', '10.0.0.1'],
    ['999.1.1.1', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ])('with X-Forwarded-For %j is %s', (forwardedFor, client) => {
    expect(identifyClient('10.0.0.1', forwardedFor, proxies)).toBe(client)
  })

  it('is looked up over at most 32 hops', () => {
    const hops = ['198.51.100.7', ...Array.from({ length: 40 }, () => '10.0.0.9')]
    expect(identifyClient('10.0.0.1', hops.join(', '), proxies)).toBe('10.0.0.9')
  })
})

describe('the client of a connection', () => {
  const { ofSocket } = createClientKeys(['10.0.0.0/8', '2001:db8:ffff::/48'])
  const keyOf = (remoteAddress?: string) => ofSocket({ remoteAddress } as Socket)

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    [undefined, 'unknown'],
    ['10.1.2.3', null],
    ['::ffff:10.1.2.3', null],
    ['2001:db8:ffff::5', null],
  ])('%s is %s', (peer, client) => {
    expect(keyOf(peer)).toBe(client)
  })
})
