import { describe, expect, it } from 'vitest'
import {
  createPatientHttpClient,
  type Handler,
  saying,
  serve,
} from '../../test/support/net/loopback.ts'
import { createIssuerRegistry } from './issuer-registry.ts'

/** Facts of two rows of the issuer's list on 2026-08-08. */
const everpure = {
  tokenSymbol: 'P',
  tokenName: 'Everpure • Robinhood Token',
  deployments: [
    {
      contractAddress: '0x1Cdad396DB64BDa184d5182A97Dd9B3C62100b7D',
      chainId: 4663,
      networkName: 'Robinhood Chain',
    },
  ],
  currentMultiplier: '1.000000000000000000',
  status: 'ASSET_STATUS_ACTIVE',
  tokenDecimals: 18,
}
const listing = {
  address: '0x1cdad396db64bda184d5182a97dd9b3c62100b7d',
  symbol: 'P',
  name: 'Everpure',
  issuer: 'Robinhood',
  decimals: 18,
  feed: null,
}
const quantum = {
  ...everpure,
  tokenSymbol: 'QBTS',
  tokenName: 'D-Wave Quantum Inc. Common Stock • Robinhood Token',
  deployments: [{ contractAddress: '0xC583c60aeF9Dc401Da72cEC1B404743a93cea1Cc', chainId: 4663 }],
}

const read = async (handler: Handler) => {
  const { url } = await serve(handler)
  const deps = { url: `${url}/rhj/assets`, chainId: 4663, httpClient: createPatientHttpClient() }
  return createIssuerRegistry(deps).read()
}
const reading = (...assets: unknown[]) => read(saying(JSON.stringify({ assets })))

describe("the issuer's list", () => {
  it('is read', async () => {
    expect(await reading(everpure, quantum)).toEqual({
      ok: true,
      value: [
        listing,
        {
          ...listing,
          address: '0xc583c60aef9dc401da72cec1b404743a93cea1cc',
          symbol: 'QBTS',
          name: 'D-Wave Quantum Inc. Common Stock',
        },
      ],
    })
  })

  it('a token that is no longer traded is listed all the same', async () => {
    const status = 'ASSET_STATUS_INACTIVE'
    expect(await reading({ ...everpure, status })).toEqual({ ok: true, value: [listing] })
  })

  it.each([
    ['Everpure', { name: 'Everpure', issuer: null }],
    ['A • B • Robinhood Token', { name: 'A • B', issuer: 'Robinhood' }],
    ['Ever\u202Epure\n • Robinhood Token', { name: 'Everpure', issuer: 'Robinhood' }],
  ])('the name %j', async (tokenName, expected) => {
    expect(await reading({ ...everpure, tokenName })).toMatchObject({ value: [expected] })
  })

  it.each([
    ['of another chain', { deployments: [{ ...everpure.deployments[0], chainId: 1 }] }],
    ['without an address', { deployments: [{ chainId: 4663 }] }],
    ['without decimals', { tokenDecimals: undefined }],
    ['with absurd decimals', { tokenDecimals: 255 }],
    ['without a name', { tokenName: ' ' }],
    ['with a symbol that is none', { tokenSymbol: 'NV DA' }],
    ['listed before', {}],
  ])('a row %s is passed over', async (_, over) => {
    expect(await reading(everpure, { ...everpure, ...over }, null, 'row')).toEqual({
      ok: true,
      value: [listing],
    })
  })

  it.each([
    ['malformed', 'another form', saying('{"rows":[]}')],
    ['malformed', 'only rows that are none', saying('{"assets":[{}]}')],
    ['rate-limited', 'plain text in a 200', saying('local_rate_limited')],
    ['unreachable', 'a 500', saying('', 500)],
  ])('%s: %s', async (kind, _, handler) => {
    expect(await read(handler)).toMatchObject({ ok: false, fault: { kind } })
  })

  it('may be empty', async () => {
    expect(await reading()).toEqual({ ok: true, value: [] })
  })
})
