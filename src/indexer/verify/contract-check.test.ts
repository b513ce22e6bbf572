import { describe, expect, it } from 'vitest'
import { createFakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { contractOf, encode, returned } from '../../../test/support/indexer/market.ts'
import { pancakeswapInfinityCl } from '../../domain/dex/pancakeswap-infinity/decode.ts'
import { pancakeswapV3 } from '../../domain/dex/pancakeswap-v3/decode.ts'
import type { Protocol } from '../../domain/dex/protocol.ts'
import { ramsesV3 } from '../../domain/dex/ramses-v3/decode.ts'
import { slipstream } from '../../domain/dex/slipstream/decode.ts'
import { uniswapV3 } from '../../domain/dex/uniswap-v3/decode.ts'
import { uniswapV4 } from '../../domain/dex/uniswap-v4/decode.ts'
import type { Address, Hex } from '../../domain/units.ts'
import { createContractCheck, type NamedContract, probes } from './contract-check.ts'

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`
const manager = addressOf('2')

const contractsOf = ({ network }: Protocol, address: Address, stateView: Address | null) =>
  network
    .contracts({ address, poolDeployer: null, poolImplementation: null, stateView })
    .map((contract) => ({ ...contract, key: `${network.key}[0].${contract.key}` }))

const [factory, foreignFactory] = contractsOf(uniswapV3, addressOf('1'), null) as [
  NamedContract,
  NamedContract,
]
const [poolManager, stateView] = contractsOf(uniswapV4, manager, addressOf('3')) as [
  NamedContract,
  NamedContract,
]
const all: readonly NamedContract[] = [
  factory,
  poolManager,
  stateView,
  { key: 'multicall3', address: addressOf('4'), probe: probes.multicall3 },
  { key: 'stocks.beacon', address: addressOf('5'), probe: probes.beacon },
  { key: 'trustedQuotes[0].address', address: addressOf('6'), probe: probes.token },
]

const wordOf = (address: Address) => encode('address', address)

/** What the real ones answer, each at the address that `all` names. */
const answers: readonly (readonly [signature: string, answer: Hex])[] = [
  ['getPool(address,address,uint24)', wordOf(addressOf('0'))],
  ['extsload(bytes32)', encode('bytes32', `0x${'0'.repeat(64)}`)],
  ['poolManager()', wordOf(manager)],
  ['aggregate3((address,bool,bytes)[])', encode('bytes[]', [])],
  ['implementation()', wordOf(addressOf('9'))],
  ['totalSupply()', encode('uint256', 10n ** 24n)],
]

/** What Slipstream's factory has in place of Uniswap's `getPool`. */
const ofSpacing = { 'getPool(address,address,int24)': '0' }
const ofSlipstream = (digit: string) => ({ ...ofSpacing, 'poolImplementation()': digit })
const ofRamses = (digit: string) => ({ ...ofSpacing, 'ramsesV3PoolDeployer()': digit })

const wordsOf = (words: readonly bigint[]): Hex =>
  `0x${words.map((word) => encode('uint256', word).slice(2)).join('')}`

const createChain = () => {
  const chain = createFakeChain()
  chain.mine()
  const deploy = (at: number, [signature, answer] = answers[at] as (typeof answers)[number]) =>
    chain.deploy(
      (all[at] as NamedContract).address,
      contractOf({ [signature]: () => returned(answer) }),
    )
  const deployAll = (): void => {
    for (const at of answers.keys()) deploy(at)
  }
  return { ...chain, deployOne: deploy, deployAll }
}

const createCheck = (chain: ReturnType<typeof createChain>, contracts = all) => {
  const journal = createJournal()
  const { logger } = journal
  return {
    journal,
    ...createContractCheck({
      confirmedBlock: chain.confirmedBlock,
      chain: chain.reader,
      logger,
      contracts,
    }),
  }
}

describe('the contracts of a network file', () => {
  it('are called once, in one request, and nothing is logged if they are right', async () => {
    const chain = createChain()
    chain.deployAll()
    const check = createCheck(chain)
    expect(await check.refresh()).toBe(true)
    expect(await check.refresh()).toBe(true)
    expect(chain.count('callContracts')).toBe(1)
    expect(check.warning()).toBe(null)
    expect(check.journal.of('warn')).toEqual([])
  })

  it('are each logged once, by key and address, if there is no contract', async () => {
    const check = createCheck(createChain())
    await check.refresh()
    await check.refresh()
    expect(check.journal.of('warn').map(({ fields }) => fields?.key)).toEqual(
      all.map(({ key }) => key),
    )
    expect(check.journal.of('warn')[0]).toEqual({
      level: 'warn',
      message: 'Contract of the network file was not found',
      fields: {
        key: 'uniswapV3[0].factory',
        address: factory.address,
        reason: 'no v3 factory contract at this address',
      },
    })
    expect(check.warning()).toBe(
      `uniswapV3[0].factory (${factory.address}): no v3 factory contract at ` +
        'this address; 5 more like it',
    )
  })

  it('are logged if they are other contracts', async () => {
    const chain = createChain()
    chain.deployAll()
    chain.deploy(factory.address, contractOf({}))
    const check = createCheck(chain)
    await check.refresh()
    expect(check.journal.of('warn')).toMatchObject([
      {
        fields: {
          key: 'uniswapV3[0].factory',
          reason: 'the contract at this address is not a v3 factory',
        },
      },
    ])
    expect(check.warning()).toBe(
      `uniswapV3[0].factory (${factory.address}): the contract at this address is not a v3 factory`,
    )
  })

  it('are logged if a factory of another protocol answers as the right one does', async () => {
    const chain = createChain()
    chain.deployAll()
    const answersOf = (...signatures: readonly string[]) =>
      contractOf(
        Object.fromEntries(
          signatures.map((signature) => [signature, () => returned(wordOf(addressOf('0')))]),
        ),
      )
    const getPool = 'getPool(address,address,uint24)'
    const contracts = [factory, foreignFactory]
    chain.deploy(factory.address, answersOf(getPool))
    const right = createCheck(chain, contracts)
    await right.refresh()
    expect(right.warning()).toBe(null)
    chain.deploy(factory.address, answersOf(getPool, 'poolDeployer()'))
    const wrong = createCheck(chain, contracts)
    await wrong.refresh()
    expect(wrong.warning()).toBe(
      `uniswapV3[0].factory (${factory.address}): it has a pool deployer, as factories of ` +
        'PancakeSwap v3 and its forks have',
    )
  })

  const uniswapAnswers = { 'getPool(address,address,uint24)': '0' }

  it.each([
    ['of v4', { 'extsload(bytes32)': [0n] }, null, 'is not a CLPoolManager'],
    [
      'of PancakeSwap Infinity',
      { 'extsload(bytes32)': [0n], 'getSlot0(bytes32)': [0n, 0n, 0n, 0n], 'vault()': [1n] },
      'it has a vault, as managers of PancakeSwap Infinity have',
      null,
    ],
    [
      'of its bin pools',
      { 'extsload(bytes32)': [0n], 'getSlot0(bytes32)': [0n, 0n, 0n], 'vault()': [1n] },
      'it has a vault, as managers of PancakeSwap Infinity have',
      'is not a CLPoolManager',
    ],
    [
      'that is a StateView',
      { 'getSlot0(bytes32)': [0n, 0n, 0n, 0n] },
      'is not a v4 PoolManager',
      'is not a CLPoolManager',
    ],
  ] as const)('know a manager %s', async (_, functions, ofV4, ofInfinity) => {
    const chain = createChain()
    const answered = Object.entries(functions).map(
      ([signature, words]) => [signature, () => returned(wordsOf(words))] as const,
    )
    chain.deploy(manager, contractOf(Object.fromEntries(answered)))
    const warningOf = async (protocol: Protocol) => {
      const check = createCheck(chain, contractsOf(protocol, manager, null))
      await check.refresh()
      return check.warning()
    }
    const v4 = await warningOf(uniswapV4)
    const infinity = await warningOf(pancakeswapInfinityCl)
    if (ofV4 === null) expect(v4).toBe(null)
    else expect(v4).toContain(ofV4)
    if (ofInfinity === null) expect(infinity).toBe(null)
    else expect(infinity).toContain(ofInfinity)
  })

  it.each([
    [slipstream, 'of Uniswap v3', uniswapAnswers, 'is not a Slipstream factory'],
    [slipstream, 'of another fork', ofSpacing, 'is not a Slipstream factory'],
    [slipstream, 'of clones of another contract', ofSlipstream('9'), 'clones of another contract'],
    [ramsesV3, 'of Uniswap v3', uniswapAnswers, 'is not a Ramses v3 factory'],
    [ramsesV3, 'of Slipstream', ofSlipstream('8'), 'is not a Ramses v3 factory'],
    [ramsesV3, 'of another deployer', ofRamses('9'), 'its pools are of another pool deployer'],
  ])('are logged if a factory with pools by spacing is one: %#, %s', async (...row) => {
    const [{ network }, , answers, reason] = row
    const address = addressOf('7')
    const chain = createChain()
    const deploy = (digits: Readonly<Record<string, string>>) =>
      chain.deploy(
        address,
        contractOf(
          Object.fromEntries(
            Object.entries(digits).map(([signature, digit]) => [
              signature,
              () => returned(wordOf(addressOf(digit))),
            ]),
          ),
        ),
      )
    const check = async (creator: Address | null) => {
      const venue = { address, poolDeployer: creator, poolImplementation: creator }
      const contracts = network
        .contracts({ ...venue, stateView: null })
        .map((contract) => ({ ...contract, key: `${network.key}[0].${contract.key}` }))
      const checked = createCheck(chain, contracts)
      await checked.refresh()
      return checked.warning()
    }
    deploy({ ...ofSlipstream('8'), ...ofRamses('8') })
    expect(await check(addressOf('8'))).toBe(null)
    expect(await check(null)).toBe(null)
    deploy(answers)
    expect(await check(addressOf('8'))).toMatch(`${network.key}[0].factory (${address}): `)
    expect(await check(addressOf('8'))).toContain(reason)
  })

  it.each([
    ['of Uniswap v3', [], 'the contract at this address is not a PancakeSwap v3 factory'],
    ['of another fork', ['poolDeployer()'], 'its pools are of another pool deployer'],
  ])('are logged if a factory of PancakeSwap v3 is one %s', async (_, more, reason) => {
    const address = addressOf('7')
    const poolDeployer = addressOf('8')
    const contracts = pancakeswapV3.network
      .contracts({ address, poolDeployer, poolImplementation: null, stateView: null })
      .map((contract) => ({ ...contract, key: `pancakeswapV3[0].${contract.key}` }))
    const answered = (signatures: readonly string[], answer: Hex) =>
      signatures.map((signature) => [signature, () => returned(answer)] as const)
    const chain = createChain()
    const getPool = answered(['getPool(address,address,uint24)'], wordOf(addressOf('0')))
    const deploy = (answers: typeof getPool) =>
      chain.deploy(address, contractOf(Object.fromEntries([...getPool, ...answers])))
    deploy(answered(['poolDeployer()'], wordOf(poolDeployer)))
    const right = createCheck(chain, contracts)
    await right.refresh()
    expect(right.warning()).toBe(null)
    deploy(answered(more, wordOf(addressOf('9'))))
    const wrong = createCheck(chain, contracts)
    await wrong.refresh()
    expect(wrong.warning()).toBe(`pancakeswapV3[0].factory (${address}): ${reason}`)
  })

  // Its states would differ from ours for every pool, and each would be rebuilt again and again.
  it('include a StateView of the same PoolManager', async () => {
    const chain = createChain()
    chain.deployAll()
    const other = wordOf(addressOf('b'))
    chain.deployOne(2, ['poolManager()', other])
    const check = createCheck(chain)
    await check.refresh()
    expect(check.journal.of('warn')).toMatchObject([
      { fields: { key: stateView.key, reason: 'it belongs to another PoolManager' } },
    ])
  })

  it('are no longer reported once they exist', async () => {
    const chain = createChain()
    const check = createCheck(chain, [factory])
    await check.refresh()
    expect(check.warning()).not.toBe(null)
    chain.deployAll()
    await check.refresh()
    expect(check.warning()).toBe(null)
    expect(check.journal.count('Contract of the network file was found')).toBe(1)
  })

  it.each([
    ['their response is too large', 'too-large', 'its response is too large'],
    ['the node refuses the call', 'unanswered', 'the endpoint refused to call it'],
  ] as const)('are checked again if %s', async (_, refusal, reason) => {
    const chain = createChain()
    chain.deployAll()
    chain.deploy(factory.address, () => ({ ok: false, reason: refusal }))
    const check = createCheck(chain)
    await check.refresh()
    await check.refresh()
    const message = 'Contract of the network file could not be checked'
    expect(check.journal.of('warn')).toMatchObject([{ message, fields: { reason } }])
    expect(check.warning()).toBe(`${factory.key} (${factory.address}): ${reason}`)
    chain.deployAll()
    await check.refresh()
    expect(check.warning()).toBe(null)
  })

  it('are not judged while the chain does not answer', async () => {
    const chain = createChain()
    chain.fail('callContracts', { kind: 'timeout', detail: 'late' }, 1)
    const check = createCheck(chain)
    expect(await check.refresh()).toBe(false)
    expect(check.warning()).toBe(null)
    expect(check.journal.of('warn')).toMatchObject([{ fields: { kind: 'timeout' } }])
  })
})
