import type { Address } from '../../units.ts'
import { addressAt, int24At } from '../abi-words.ts'
import { cloneInitCodeHash, computeSpacedPoolAddress } from '../pool-id.ts'
import {
  eventDecoder,
  type Probe,
  type Protocol,
  slot0Decoder,
  toDecoders,
  withFeeCall,
} from '../protocol.ts'
import { dynamicFee } from '../uniswap-v4/hook-flags.ts'
import {
  feeSelector,
  spacedFactoryProbe,
  spacedPoolSelector,
  v3PoolEvents,
  v3Swap,
  v3SwapTopic,
  v3Traits,
} from '../v3-pools.ts'

/**
 * Slipstream of Velodrome and Aerodrome, and its forks (slipstream: ICLFactory, ICLPoolEvents).
 * A pool trades as one of Uniswap v3, at a fee that a module of the factory decides at each swap.
 * Not decoded, because none moves price, principal or the fee of a swap: `CollectFees` pays the
 * fees of staked liquidity to the gauge, and staking moves no liquidity of the pool.
 */
const id = 'slipstream'
const factoryName = 'Slipstream factory'

/** PoolCreated(address indexed, address indexed, int24 indexed, address) */
const poolCreatedTopic = '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2'

/** No event shows the fee: the key says that it changes, and only reads of the pool show it. */
const poolCreated = eventDecoder({
  topic: poolCreatedTopic,
  name: 'PoolCreated',
  indexed: 3,
  words: 1,
  read: ({ topics, data }) => ({
    token0: addressAt(topics[1], 0),
    token1: addressAt(topics[2], 0),
    tickSpacing: int24At(topics[3], 0),
    pool: addressAt(data, 0),
  }),
  toEvent: ({ pool: poolId, ...key }, { address, at }) => ({
    kind: 'created',
    poolId,
    at,
    protocol: id,
    venue: address,
    key: { ...key, fee: dynamicFee, hooks: null },
    initial: null,
  }),
})

/** tickSpacingToFee(int24): CLFactory.sol */
const tickSpacingToFeeSelector = '0x380dc1c2'

/** poolImplementation(): CLFactory.sol */
const implementationProbe = (expected: Address | null): Probe => ({
  name: factoryName,
  data: '0xcefa7799',
  answerBytes: 32,
  ...(expected === null
    ? {}
    : { expected: { address: expected, otherwise: 'its pools are clones of another contract' } }),
})

export const slipstream: Protocol = {
  ...v3Traits,
  id,
  name: 'Slipstream',
  creationEvents: toDecoders([{ ...poolCreated, tokenTopics: [1, 2] }]),
  poolEvents: toDecoders([v3Swap, ...v3PoolEvents]),
  swapTopic: v3SwapTopic,
  // CLFactory.createPool initialises the pool before it logs the creation.
  hasPriceAtCreation: true,
  fee: 'state',
  computeId: (key, { address: deployer, poolImplementation }, keccak256) => {
    if (poolImplementation === null) return null
    const initCodeHash = cloneInitCodeHash(poolImplementation, keccak256)
    return computeSpacedPoolAddress({ ...key, deployer, initCodeHash }, keccak256)
  },
  invalidIdReason:
    'the address of a Slipstream pool does not follow from its key and poolImplementation',
  stateCalls: (pool) => [...v3Traits.stateCalls(pool), { to: pool, data: feeSelector }],
  // CLPool.sol: slot0() has no protocol fee.
  decodeState: withFeeCall(slot0Decoder(6)),
  // CLPool.sol keeps in storage what are constants of the code in Uniswap v3 (docs/protocols.md).
  storage: { pools: null, slot0: 6n, liquidity: 16n, ticks: 17n, bitmap: 18n },
  listsPools: {
    pool: spacedPoolSelector,
    // Those of Velodrome's factory, of the stock pools on Base and of Up.
    keys: [1, 10, 50, 60, 100, 200, 2000],
    enabled: tickSpacingToFeeSelector,
  },
  network: {
    key: 'slipstream',
    addressKey: 'factory',
    takes: ['poolImplementation'],
    noun: factoryName,
    contracts: ({ address, poolImplementation }) => [
      { key: 'factory', address, probe: spacedFactoryProbe(factoryName) },
      { key: 'factory', address, probe: implementationProbe(poolImplementation) },
    ],
  },
}
