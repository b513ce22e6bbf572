import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resolveConfig } from '../../config/config.ts'
import { toIndexedNetwork } from './network.ts'

const shipped = readFileSync(new URL('../../networks/robinhood.json', import.meta.url), 'utf8')

const networkOf = (text: string) => {
  const config = resolveConfig({ role: 'index', args: [], environment: {} }, text)
  if (!config.ok) throw new Error(config.fault)
  return toIndexedNetwork(config.value)
}

test('lists every contract of a network, without ether and null', () => {
  const { contracts } = networkOf(shipped)
  expect(contracts.map(({ key, probe }) => `${key} ${probe.name}`)).toEqual([
    'uniswapV3[0].factory v3 factory',
    'uniswapV3[0].factory v3 factory',
    'uniswapV3[1].factory v3 factory',
    'uniswapV3[1].factory v3 factory',
    'uniswapV3[2].factory v3 factory',
    'uniswapV3[2].factory v3 factory',
    'uniswapV4[0].poolManager v4 PoolManager',
    'uniswapV4[0].stateView StateView',
    'uniswapV4[0].poolManager v4 PoolManager',
    'pancakeswapV3[0].factory PancakeSwap v3 factory',
    'pancakeswapV3[0].factory PancakeSwap v3 factory',
    'pancakeswapV3[1].factory PancakeSwap v3 factory',
    'pancakeswapV3[1].factory PancakeSwap v3 factory',
    'slipstream[0].factory Slipstream factory',
    'slipstream[0].factory Slipstream factory',
    'algebraIntegral[0].factory factory of Algebra Integral',
    'algebraIntegral[0].factory factory of Algebra Integral',
    'algebraIntegral[1].factory factory of Algebra Integral',
    'algebraIntegral[1].factory factory of Algebra Integral',
    'pancakeswapInfinity[0].poolManager CLPoolManager',
    'pancakeswapInfinity[0].poolManager CLPoolManager',
    'pancakeswapInfinity[1].poolManager CLPoolManager',
    'pancakeswapInfinity[1].poolManager CLPoolManager',
    'ramsesV3[0].factory Ramses v3 factory',
    'ramsesV3[0].factory Ramses v3 factory',
    'multicall3 Multicall3',
    'stocks.beacon beacon',
    'trustedQuotes[0].address token',
    'trustedQuotes[1].address token',
  ])
  expect(contracts[7]?.probe.expected?.address).toBe(contracts[6]?.address)
  const file = JSON.parse(shipped)
  const [v4] = file.uniswapV4
  const bare = {
    ...file,
    multicall3: null,
    uniswapV3: file.uniswapV3.slice(0, 1),
    pancakeswapV3: [],
    slipstream: [],
    ramsesV3: [],
    algebraIntegral: [],
    pancakeswapInfinity: [],
    uniswapV4: [{ ...v4, stateView: null }],
    stocks: { ...file.stocks, beacon: null },
    trustedQuotes: file.trustedQuotes.slice(2),
  }
  expect(networkOf(JSON.stringify(bare)).contracts.map(({ key }) => key)).toEqual([
    'uniswapV3[0].factory',
    'uniswapV3[0].factory',
    'uniswapV4[0].poolManager',
    'uniswapV4[0].poolManager',
  ])
})

test('reviewed hooks are found by their address in lower case', () => {
  const address = '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544'
  const note = 'takes a fee after the swap'
  const file = { ...JSON.parse(shipped), reviewedHooks: [{ address, note }] }
  expect(networkOf(shipped).reviewedHooks.size).toBe(0)
  const { reviewedHooks } = networkOf(JSON.stringify(file))
  expect([...reviewedHooks]).toEqual([[address.toLowerCase(), note]])
})
