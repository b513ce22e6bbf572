import { encodeAbiParameters } from 'viem'
import { cloneInitCodeHash, computeSpacedPoolAddress } from '../../../src/domain/dex/pool-id.ts'
import type { Venue } from '../../../src/domain/dex/venue.ts'
import type { Address, BlockNumber, Hex } from '../../../src/domain/units.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import { poolOf } from '../domain/sample-market.ts'
import { keccak, logOf } from '../domain/sample-pool.ts'
import { slipstreamPoolCreated } from '../domain/slipstream-fixture.ts'
import type { FakeChain } from './fake-chain.ts'
import { contractOf, encode, returned, reverted } from './market.ts'

const implementation: Address = `0x${'c1'.repeat(20)}`

export const slipstreamVenue: Venue = {
  address: `0x${'cf'.repeat(20)}`,
  protocol: 'slipstream',
  name: 'Slipstream',
  startBlock: 1,
  initCodeHash: null,
  poolDeployer: null,
  poolImplementation: implementation,
  stateView: null,
}

const tickSpacing = 60

/**
 * A pool of Slipstream on a chain: the events of a v3 pool, of which the first price comes before
 * the creation, and a contract that answers at every block as it did then.
 */
export const createSlipstreamPool = (
  chain: FakeChain,
  pair: { readonly token0: Address; readonly token1: Address },
) => {
  const { address: deployer } = slipstreamVenue
  const initCodeHash = cloneInitCodeHash(implementation, keccak)
  const id = computeSpacedPoolAddress({ ...pair, tickSpacing, deployer, initCodeHash }, keccak)
  const history: { readonly block: BlockNumber; readonly answers: Record<string, Hex> }[] = []
  let fee = 500

  const like = poolOf(
    (log) => {
      if (log.address !== like.id) return
      chain.emit({ ...log, address: id })
    },
    'v3',
    { ...pair, tickSpacing },
  )

  /** Of the block under way. */
  const remember = (): void => {
    const { sqrtPriceX96, tick } = like.price()
    const types = ['uint160', 'int24', 'uint16', 'uint16', 'uint16', 'bool']
    const slot0 = encodeAbiParameters(
      types.map((type) => ({ type })),
      [sqrtPriceX96, tick, 0, 1, 1, true],
    )
    const block = (chain.blocks().at(-1)?.blockRef.block ?? 0) + 1
    const liquidity = encode('uint128', like.liquidity())
    history.push({ block, answers: { slot0, liquidity, fee: encode('uint24', fee) } })
  }

  const answer =
    (name: string) =>
    (_: Hex, at: BlockNumber): CallResult => {
      const data = history.findLast(({ block }) => block <= at)?.answers[name]
      return data === undefined ? reverted : returned(data)
    }
  const functions = { 'slot0()': answer('slot0'), 'liquidity()': answer('liquidity') }
  const deploy = (more: Parameters<typeof contractOf>[0]): void => {
    chain.deploy(id, contractOf({ ...functions, ...more }))
  }
  deploy({ 'fee()': answer('fee') })

  const after =
    <Args extends readonly unknown[]>(act: (...args: Args) => unknown) =>
    (...args: Args): void => {
      act(...args)
      remember()
    }

  return {
    id,
    price: like.price,
    /** CLFactory.createPool: the pool is initialised before the creation is logged. */
    create: after((sqrtPriceX96: bigint) => {
      like.create(sqrtPriceX96)
      chain.emit(logOf(deployer, slipstreamPoolCreated, { ...pair, tickSpacing, pool: id }))
    }),
    mint: after(like.mint),
    swapTo: after(like.swapTo),
    /** As the module of the factory does: without an event. */
    setFee: after((value: number) => {
      fee = value
    }),
    /** As a module does that reverts. */
    breakFee: (): void => deploy({}),
  }
}
