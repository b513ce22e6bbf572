import { type Abi, type Address, type Hex, keccak256, parseAbi, parseEther, toBytes } from 'viem'
import type { OwnArtifacts } from '../build/compile.ts'
import type { UniswapArtifacts } from '../build/uniswap.ts'
import { genesisBlock, type Rpc, toHex } from '../chain/rpc.ts'
import { type Call, deploy, mineAndCheck, send } from '../chain/sender.ts'
import { bundleCalls, encodeCall } from '../market/calls.ts'
import { dueFeedAnswers, livePolicy } from '../market/feeds.ts'
import type { Prices } from '../market/prices.ts'
import { startProtocolFees } from '../market/protocol-fees.ts'
import { washersCount } from '../market/wash-bots.ts'
import type { Settings } from '../options.ts'
import type { Report } from '../progress.ts'
import { poolTable } from '../world/pool-table.ts'
import { stocks, type Token } from '../world/tokens.ts'
import type { Accounts, MultiplierPlan, World } from '../world/world.ts'
import { findArtifact, planContracts } from './contracts.ts'
import { type Creation, planCreation } from './create2.ts'
import { createPoolCalls, planPool } from './pools.ts'
import { fundRouter, planTokens, routerEther } from './tokens.ts'

/** Seconds between deployment blocks. */
const blockSeconds = 5

/** Transactions in one deployment block. */
const batchSize = 25

const stockAbi = parseAbi([
  'function announceMultiplier(uint256 multiplier, uint256 effectiveAt)',
  'function setOraclePaused(bool paused)',
])
const ownerAbi = parseAbi([
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
  'function grantRole(bytes32 role, address account)',
])
const customPoolDeployer = keccak256(toBytes('CUSTOM_POOL_DEPLOYER'))
const deployerAbi = parseAbi(['function setFactoryAddress(address factory)'])

export type DeployInput = {
  readonly rpc: Rpc
  readonly own: OwnArtifacts
  readonly uniswap: UniswapArtifacts
  readonly settings: Settings
  readonly sourceHash: string
  readonly genesisTs: number
  readonly prices: Prices
  readonly report: Report
}

/** Deploys contracts, tokens, feeds and the pools that exist from the start. */
export async function deployWorld(input: DeployInput): Promise<World> {
  const { rpc, own, uniswap, prices } = input
  const accounts = splitAccounts(await rpc.call<readonly Address[]>('eth_accounts'))
  const plan = planContracts(own, uniswap, accounts.deployer)
  const tokenPlan = planTokens(own, plan.contracts)
  const venue = foreignVenue(own, tokenPlan.tokens)
  const world = emptyWorld(input, {
    accounts,
    contracts: { ...plan.contracts, foreignVenue: venue.address },
    tokens: tokenPlan.tokens,
    feeds: tokenPlan.feeds,
    genesisHash: (await genesisBlock(rpc)).hash,
  })
  for (const { spec } of Object.values(world.tokens)) prices.add(spec)
  for (const spec of poolTable) world.pools.push(planPool(world, spec))
  const early = world.pools.filter((pool) => pool.spec.bornAt === 0)

  const deployer = createDeployer(
    input,
    accounts,
    plan.calls.length + tokenPlan.calls.length + early.length,
  )
  await rpc.call('anvil_setBalance', world.contracts.router, toHex(routerEther))
  for (const code of plan.factoryCodes) await deployer.build([], code)
  await deployer.build(plan.calls)
  await deployer.build(tokenPlan.calls)
  await deployer.build([venue.call, ...configureMarket(world)])
  const now = deployer.now()
  await deployer.build(
    early.map((pool) => bundleCalls(world, createPoolCalls(world, prices, pool, now))),
  )
  await deployer.build([
    ...startProtocolFees(world),
    bundleCalls(world, dueFeedAnswers(world, prices, deployer.now(), livePolicy)),
  ])
  return world
}

type DeployedParts = Pick<World, 'accounts' | 'contracts' | 'tokens' | 'feeds' | 'genesisHash'>

function emptyWorld(input: DeployInput, parts: DeployedParts): World {
  const { settings, sourceHash, genesisTs } = input
  return {
    ...{ settings, sourceHash, genesisTs },
    ...parts,
    pools: [],
    multipliers: Object.fromEntries(
      stocks.map((stock) => [stock.key, constantMultiplier(stock.multiplier)]),
    ),
    halted: Object.fromEntries(stocks.map((stock) => [stock.key, stock.halted])),
    oraclePaused: Object.fromEntries(stocks.map((stock) => [stock.key, stock.oraclePaused])),
    launches: 0,
  }
}

const constantMultiplier = (multiplier: string): MultiplierPlan => ({
  before: multiplier,
  after: multiplier,
  effectiveTs: 0,
})

function splitAccounts(all: readonly Address[]): Accounts {
  const [deployer, feedKeeper, provider, ...others] = all.map(
    (address) => address.toLowerCase() as Address,
  )
  const [traders, washers] = [others.slice(0, -washersCount), others.slice(-washersCount)]
  if (!deployer || !feedKeeper || !provider || traders.length === 0) {
    throw new Error(`the node needs more than ${washersCount + 3} accounts`)
  }
  return { deployer, feedKeeper, provider, traders, washers }
}

/** A contract outside the factory that emits v3's events for NVDA and USDG. */
function foreignVenue(own: OwnArtifacts, tokens: Readonly<Record<string, Token>>): Creation {
  const args = [tokens.NVDA?.address, tokens.USDG?.address]
  return planCreation(findArtifact(own, 'ForeignVenue'), args)
}

/** Enables the 0.01 % fee, funds the router, sets multipliers and pauses one oracle. */
function configureMarket(world: World): Call[] {
  const { factory, pancakeFactory, pancakePoolDeployer } = world.contracts
  const { algebraFactory, algebraCustomPools } = world.contracts
  const funding = Object.values(world.tokens).flatMap((token) => fundRouter(world.contracts, token))
  const addressOf = (key: string): Address => world.tokens[key]?.address as Address
  const stockCall = (key: string, functionName: string, args: readonly unknown[]): Call =>
    encodeCall(addressOf(key), stockAbi as Abi, functionName, args)
  const multiplied = stocks.filter(
    ({ proof, multiplier }) => proof === 'beacon' && multiplier !== '1',
  )
  const paused = stocks.filter((stock) => stock.oraclePaused)
  return [
    // The factory enables every other fee itself.
    encodeCall(factory, ownerAbi as Abi, 'enableFeeAmount', [100, 1]),
    encodeCall(pancakePoolDeployer, deployerAbi, 'setFactoryAddress', [pancakeFactory]),
    encodeCall(algebraFactory, ownerAbi as Abi, 'grantRole', [
      ...[customPoolDeployer, algebraCustomPools],
    ]),
    bundleCalls(world, funding),
    ...multiplied.map((stock) =>
      stockCall(stock.key, 'announceMultiplier', [parseEther(stock.multiplier), world.genesisTs]),
    ),
    ...paused.map((stock) => stockCall(stock.key, 'setOraclePaused', [true])),
  ]
}

type Deployer = {
  readonly now: () => number
  readonly build: (calls: readonly Call[], code?: Hex) => Promise<void>
}

/** Sends the deployer's calls in blocks and reports progress. */
function createDeployer(input: DeployInput, accounts: Accounts, total: number): Deployer {
  const { rpc, report } = input
  let ts = input.genesisTs + blockSeconds
  let done = 0
  const mine = async (hashes: readonly Hex[]): Promise<void> => {
    await mineAndCheck(rpc, ts, hashes)
    ts += blockSeconds
    done += hashes.length
    report({ phase: 'deploy', done: Math.min(done, total), total })
  }
  return {
    now: () => ts,
    build: async (calls, code) => {
      if (code) await mine([await deploy(rpc, accounts.deployer, code)])
      for (let from = 0; from < calls.length; from += batchSize) {
        const hashes: Hex[] = []
        for (const call of calls.slice(from, from + batchSize)) {
          hashes.push(await send(rpc, accounts.deployer, call))
        }
        await mine(hashes)
      }
    },
  }
}
