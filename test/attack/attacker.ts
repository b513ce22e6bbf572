import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, type Hex, keccak256, parseAbi, stringToHex } from 'viem'
import { compileContracts, type OwnArtifacts, readSources } from '../../sandbox/build/compile.ts'
import { createRpc, latestBlock } from '../../sandbox/chain/rpc.ts'
import { type Call, send } from '../../sandbox/chain/sender.ts'
import { findArtifact } from '../../sandbox/deploy/contracts.ts'
import { findCreation, hasHookFlags, planCreation } from '../../sandbox/deploy/create2.ts'
import type { Manifest } from '../../sandbox/manifest.ts'
import { addLiquidity, bundleCalls, encodeCall, openPool } from '../../sandbox/market/calls.ts'
import {
  amountsPerLiquidity,
  fromSqrtPriceX96,
  rangeAround,
  type TickRange,
  toSqrtPriceX96,
} from '../../sandbox/world/maths.ts'
import { buildPool, type Pool, type Position } from '../../sandbox/world/pool.ts'
import type { PoolSpec } from '../../sandbox/world/pool-table.ts'
import { stocks, usdgSpec } from '../../sandbox/world/tokens.ts'
import { eventually } from '../service/api.ts'

/*
 * An attacker with an account, a contract that trades and holds positions for it, and a hook that
 * refuses all other traders. Everybody may mint the sandbox's tokens, so he has any money.
 */

const account: Address = '0xbad0000000000000000000000000000000000bad'
/** Another address than that of the sandbox's own router, which has the same code. */
const ownSalt = 1
/** v4-core Hooks.sol. */
const beforeSwapFlag = 1n << 7n

const plenty = 10n ** 32n
const mintAbi = parseAbi(['function mint(address to, uint256 value)'])
const callFailed = keccak256(stringToHex('CallFailed(uint256,bytes)'))

type Receipt = {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly logs: readonly { readonly topics: readonly Hex[] }[]
}

const noSalt: Hex = `0x${'0'.repeat(64)}`

const positionOf = ({ key }: Pool, price: number, { low, high }: Rung): Position => ({
  ...rangeAround(price, low, high, key.tickSpacing),
  ...{ salt: noSalt, core: false, liquidity: '0' },
})

const compileHook = async (): Promise<OwnArtifacts> => {
  const { 'Uniswap.sol': uniswap = '' } = readSources()
  const hook = readFileSync(join(import.meta.dirname, 'RefusingHook.sol'), 'utf8')
  return compileContracts({ 'Uniswap.sol': uniswap, 'RefusingHook.sol': hook })
}

/** Where liquidity lies, as multiples of the price, and the dollars of USDG or the whole of it. */
export type Rung = {
  readonly low: number
  readonly high: number
  readonly liquidity: { readonly usd: number } | bigint
}

export const openAttacker = async (manifest: Manifest) => {
  const rpc = createRpc(manifest.urls.rpc)
  const own = await compileContracts()
  const { poolManager, stateView } = manifest.contracts
  const contract = planCreation(findArtifact(own, 'TradeRouter'), [poolManager, stateView], ownSalt)
  const hook = findCreation(
    findArtifact(await compileHook(), 'RefusingHook'),
    [contract.address],
    hasHookFlags(beforeSwapFlag),
  )
  const world = { contracts: { ...manifest.contracts, router: contract.address } }

  /** One transaction, mined; its block. */
  const transact = async (call: Call): Promise<number> => {
    const hash = await send(rpc, account, call)
    const receipt = await eventually(
      () => rpc.call<Receipt | null>('eth_getTransactionReceipt', hash),
      (mined) => mined !== null,
      { waitMs: 50 },
    )
    const isFailed = receipt?.logs.some(({ topics }) => topics[0] === callFailed) ?? true
    if (isFailed || receipt?.status !== '0x1') throw new Error(`${hash} failed`)
    return Number(receipt.blockNumber)
  }

  const addressOf = (key: string): Address => {
    const token = manifest.tokens.find((each) => each.key === key)
    if (token === undefined) throw new Error(`no token ${key}`)
    return token.address
  }
  const tokenOf = (key: string) => {
    const spec = [usdgSpec, ...stocks].find((each) => each.key === key)
    if (spec === undefined) throw new Error(`no stock ${key}`)
    return { spec, address: addressOf(key) }
  }

  const liquidityOf = (pool: Pool, price: number, range: TickRange, usd: number): bigint => {
    const { amount0, amount1 } = amountsPerLiquidity(price, range)
    const perUnit = pool.token0 === usdgSpec.key ? amount0 : amount1
    return BigInt(Math.floor((usd * 10 ** usdgSpec.decimals) / perUnit))
  }

  const positionsOf = (pool: Pool, price: number, rungs: readonly Rung[]): Call[] =>
    rungs.map((rung) => {
      const { liquidity } = rung
      const at = positionOf(pool, price, rung)
      const units =
        typeof liquidity === 'bigint' ? liquidity : liquidityOf(pool, price, at, liquidity.usd)
      return addLiquidity(world, pool, at, units)
    })

  await rpc.call('anvil_impersonateAccount', account)
  await transact(contract.call)
  await transact(hook.call)

  return {
    world,
    transact,
    positionsOf,
    positionOf,
    /** Fills his contract with a token. */
    mint: (key: string): Promise<number> =>
      transact(encodeCall(addressOf(key), mintAbi, 'mint', [contract.address, plenty])),
    /** A pool of a stock and USDG where the stock costs so many times what it costs elsewhere. */
    openPool: async (
      spec: PoolSpec,
      { times, honest, rungs }: OpenPlan,
    ): Promise<{ readonly pool: Pool; readonly price: number }> => {
      // Whatever the table calls the hook of a pool, here it is his.
      const hooks = { 'dynamic-fee': hook.address, 'returns-delta': hook.address }
      const contracts = { ...manifest.contracts, hooks }
      const pool = buildPool(spec, tokenOf(spec.a), tokenOf(spec.b), contracts)
      const honestPrice = fromSqrtPriceX96(honest)
      const price = pool.token0 === usdgSpec.key ? honestPrice / times : honestPrice * times
      const opening = openPool(world, pool, toSqrtPriceX96(price))
      await transact(bundleCalls(world, [...opening, ...positionsOf(pool, price, rungs)]))
      return { pool, price }
    },
    /** Whether the chain would accept this trade. */
    canTrade: ({ target, data }: Call): Promise<boolean> =>
      rpc.call('eth_call', { from: account, to: target, data }, 'latest').then(
        () => true,
        () => false,
      ),
    head: async (): Promise<number> => Number((await latestBlock(rpc)).number),
  }
}

type OpenPlan = {
  readonly times: number
  /** √price of an honest pool of the same two tokens. */
  readonly honest: bigint
  readonly rungs: readonly Rung[]
}

export type Attacker = Awaited<ReturnType<typeof openAttacker>>
