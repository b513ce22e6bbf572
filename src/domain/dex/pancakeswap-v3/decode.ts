import type { Address } from '../../units.ts'
import { uint128At } from '../abi-words.ts'
import { computePoolAddress } from '../pool-id.ts'
import { eventDecoder, type Probe, type Protocol, toDecoders } from '../protocol.ts'
import {
  poolDeployerSelector,
  readV3Swap,
  toSwapped,
  v3FactoryProbe,
  v3PoolCreated,
  v3PoolEvents,
  v3Traits,
} from '../v3-pools.ts'

/**
 * PancakeSwap v3 and its forks (pancake-v3-contracts: IPancakeV3Factory, IPancakeV3PoolEvents).
 * A pool trades as one of Uniswap v3. It differs in its deployer, its Swap and its storage
 * (docs/protocols.md).
 */
const id = 'pancakeswap-v3'
const factoryName = 'PancakeSwap v3 factory'

/**
 * Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24, uint128,
 * uint128)
 */
const swapTopic = '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83'

/** The last two words are the protocol's part of the fee, of which the input token's is not 0. */
const swap = eventDecoder({
  topic: swapTopic,
  name: 'Swap',
  indexed: 2,
  words: 7,
  read: (log) => ({
    ...readV3Swap(log),
    protocolFeesToken0: uint128At(log.data, 5),
    protocolFeesToken1: uint128At(log.data, 6),
  }),
  toEvent: ({ protocolFeesToken0, protocolFeesToken1, ...fields }, from) => ({
    ...toSwapped(fields, from),
    protocolAmount: fields.amount0 > 0n ? protocolFeesToken0 : protocolFeesToken1,
  }),
})

/** The factories of Uniswap v3 have none, and that of another fork has another. */
const poolDeployerProbe = (poolDeployer: Address): Probe => ({
  name: factoryName,
  data: poolDeployerSelector,
  answerBytes: 32,
  expected: { address: poolDeployer, otherwise: 'its pools are of another pool deployer' },
})

export const pancakeswapV3: Protocol = {
  ...v3Traits,
  id,
  name: 'PancakeSwap v3',
  creationEvents: toDecoders([v3PoolCreated(id)]),
  poolEvents: toDecoders([swap, ...v3PoolEvents]),
  swapTopic,
  protocolFee: 'logged-amount',
  computeId: (key, { poolDeployer: deployer, initCodeHash }, keccak256) =>
    deployer && initCodeHash && computePoolAddress({ ...key, deployer, initCodeHash }, keccak256),
  invalidIdReason:
    'the address of a PancakeSwap v3 pool does not follow from its key, poolDeployer and ' +
    'initCodeHash',
  // PancakeV3Pool.sol: the protocol fee takes a slot of its own after slot0 (docs/protocols.md).
  storage: { pools: null, slot0: 0n, liquidity: 5n, ticks: 6n, bitmap: 7n },
  network: {
    key: 'pancakeswapV3',
    addressKey: 'factory',
    takes: ['poolDeployer', 'initCodeHash'],
    noun: factoryName,
    contracts: ({ address, poolDeployer }) => [
      { key: 'factory', address, probe: v3FactoryProbe(factoryName) },
      ...(poolDeployer === null
        ? []
        : [{ key: 'factory', address, probe: poolDeployerProbe(poolDeployer) }]),
    ],
  },
}
