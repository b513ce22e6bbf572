import { type Address, encodeDeployData, getContractAddress, type Hex, size, slice } from 'viem'
import type { OwnArtifacts } from '../build/compile.ts'
import type { UniswapArtifacts } from '../build/uniswap.ts'
import type { Call } from '../chain/sender.ts'
import type { BaseContracts } from '../world/world.ts'
import {
  type Creation,
  findCreation,
  hasHookFlags,
  isMiddleAddress,
  planCreation,
} from './create2.ts'

/** v4-core Hooks.sol. */
const flags = {
  afterInitialize: 1n << 12n,
  beforeSwap: 1n << 7n,
  afterSwap: 1n << 6n,
  afterSwapReturnsDelta: 1n << 2n,
}

/** Addresses and calls of the base contracts, planned before any transaction is sent. */
export type ContractPlan = {
  readonly contracts: BaseContracts
  /** The deployer's first transactions, which make it the owner of the factories. */
  readonly factoryCodes: readonly Hex[]
  readonly calls: readonly Call[]
}

export function planContracts(
  own: OwnArtifacts,
  uniswap: UniswapArtifacts,
  deployer: Address,
): ContractPlan {
  const poolManager = planCreation(uniswap.poolManager, [deployer])
  const stateView = planCreation(uniswap.stateView, [poolManager.address])
  const [factory, forkFactory, algebraFactory] = [0n, 1n, 2n].map((nonce) =>
    getContractAddress({ from: deployer, nonce }).toLowerCase(),
  ) as [Address, Address, Address]
  const stockToken = planCreation(findArtifact(own, 'StockToken'), [])
  const beacon = planCreation(findArtifact(own, 'StockBeacon'), [stockToken.address])
  const created = {
    poolManager,
    stateView,
    beacon,
    ...planPancake(own, uniswap),
    slipstreamFactory: planCreation(findArtifact(own, 'SlipstreamFactory'), []),
    algebraPoolDeployer: planCreation(uniswap.algebraPoolDeployer, [algebraFactory]),
    algebraCustomPools: planCreation(findArtifact(own, 'AlgebraCustomPools'), [algebraFactory]),
    tickLens: planCreation(uniswap.tickLens, []),
    router: planCreation(findArtifact(own, 'TradeRouter'), [
      poolManager.address,
      stateView.address,
    ]),
    multicall3: planCreation(findArtifact(own, 'Multicall'), []),
    stockFactory: planCreation(findArtifact(own, 'StockFactory'), [beacon.address]),
    // A middle address, so that stocks are token0 in some pools and token1 in others.
    wrappedNative: findCreation(uniswap.weth, [], isMiddleAddress),
    ...planHooks(own, poolManager.address),
  } satisfies Record<string, Creation>
  const args = [created.algebraPoolDeployer.address]
  return {
    contracts: {
      ...addressesOf(created),
      factory,
      forkFactory,
      algebraFactory,
      slipstreamImplementation: firstCreatedBy(created.slipstreamFactory.address),
    },
    factoryCodes: [
      ...[uniswap.factory.bytecode, uniswap.factory.bytecode],
      encodeDeployData({ ...uniswap.algebraFactory, args }),
    ],
    calls: [stockToken, ...Object.values(created)].map(({ call }) => call),
  }
}

function planPancake(own: OwnArtifacts, uniswap: UniswapArtifacts) {
  const pancakePoolDeployer = planCreation(
    findArtifact(own, 'PancakePoolDeployer'),
    halvesOf(uniswap.pancakePool.bytecode),
  )
  const pancakeFactory = planCreation(uniswap.pancakeFactory, [pancakePoolDeployer.address])
  return { pancakePoolDeployer, pancakeFactory }
}

/** The contract that another one creates first. */
const firstCreatedBy = (from: Address): Address =>
  getContractAddress({ from, nonce: 1n }).toLowerCase() as Address

/** Code larger than a contract may be, in two parts. */
function halvesOf(code: Hex): readonly [Hex, Hex] {
  const middle = Math.floor(size(code) / 2)
  return [slice(code, 0, middle), slice(code, middle)]
}

function addressesOf<Name extends string>(created: Record<Name, Creation>): Record<Name, Address> {
  const entries = Object.entries<Creation>(created).map(([name, { address }]) => [name, address])
  return Object.fromEntries(entries) as Record<Name, Address>
}

function planHooks(own: OwnArtifacts, poolManager: Address) {
  return {
    dynamicFeeHook: findCreation(
      findArtifact(own, 'DynamicFeeHook'),
      [poolManager],
      hasHookFlags(flags.afterInitialize | flags.beforeSwap),
    ),
    returnsDeltaHook: findCreation(
      findArtifact(own, 'ReturnsDeltaHook'),
      [poolManager],
      hasHookFlags(flags.afterSwap | flags.afterSwapReturnsDelta),
    ),
  }
}

export function findArtifact(own: OwnArtifacts, name: string) {
  const artifact = own[name]
  if (!artifact) throw new Error(`no sandbox contract named ${name}`)
  return artifact
}
