import type { Address } from '../../units.ts'
import { addressAt, int24At, uint24At, uint128At, uint256At } from '../abi-words.ts'
import { computeSpacedPoolAddress } from '../pool-id.ts'
import {
  eventDecoder,
  type Probe,
  type Protocol,
  slot0Decoder,
  toDecoders,
  withFeeCall,
} from '../protocol.ts'
import {
  feeSelector,
  spacedFactoryProbe,
  spacedPoolSelector,
  toMinted,
  v3Burn,
  v3BurnTopic,
  v3Initialize,
  v3PoolCreated,
  v3Swap,
  v3SwapTopic,
  v3Traits,
} from '../v3-pools.ts'

/**
 * Ramses v3 (2024-10-ramses-exchange: IRamsesV3Factory, IRamsesV3PoolEvents). A pool trades as one
 * of Uniswap v3. It differs in its deployer, its Mint, and in a fee that the factory may change.
 */
const id = 'ramses-v3'
const factoryName = 'Ramses v3 factory'

/**
 * Mint(address, address indexed, uint256, int24 indexed, int24 indexed, uint128, uint256, uint256)
 */
const mintTopic = '0xd78218c0d304e8893cb3200abe394bbc8d5b7804d9c51f236df9fdcf481d02d3'
/** FeeAdjustment(address,uint24) */
const feeAdjustmentTopic = '0xe4accbaee82fb833ac207d4c4454c5a04e85f5e1e9a20a9e2c98e54e8706ff2b'

/** An owner may have several positions of one range, of which each has another `index`. */
const mint = eventDecoder({
  topic: mintTopic,
  name: 'Mint',
  indexed: 3,
  words: 5,
  read: ({ topics, data }) => ({
    owner: addressAt(topics[1], 0),
    tickLower: int24At(topics[2], 0),
    tickUpper: int24At(topics[3], 0),
    sender: addressAt(data, 0),
    index: uint256At(data, 1),
    liquidityDelta: uint128At(data, 2),
  }),
  toEvent: toMinted,
})

const feeAdjustment = eventDecoder({
  topic: feeAdjustmentTopic,
  name: 'FeeAdjustment',
  indexed: 0,
  words: 2,
  read: ({ data }) => ({ pool: addressAt(data, 0), newFee: uint24At(data, 1) }),
  toEvent: ({ pool: poolId, newFee: lpFee }, { at }) => ({ kind: 'lp-fee-set', poolId, at, lpFee }),
})

/** ramsesV3PoolDeployer(): RamsesV3Factory.sol */
const poolDeployerProbe = (poolDeployer: Address): Probe => ({
  name: factoryName,
  data: '0xbf49a292',
  answerBytes: 32,
  expected: { address: poolDeployer, otherwise: 'its pools are of another pool deployer' },
})

export const ramsesV3: Protocol = {
  ...v3Traits,
  id,
  name: 'Ramses v3',
  creationEvents: toDecoders([v3PoolCreated(id)]),
  poolEvents: toDecoders([v3Swap, v3Initialize, mint, v3Burn]),
  venueEvents: toDecoders([feeAdjustment]),
  fee: 'state',
  logsLpFee: true,
  swapTopic: v3SwapTopic,
  liquidityTopics: [mintTopic, v3BurnTopic],
  computeId: (key, { poolDeployer: deployer, initCodeHash }, keccak256) =>
    deployer &&
    initCodeHash &&
    computeSpacedPoolAddress({ ...key, deployer, initCodeHash }, keccak256),
  invalidIdReason:
    'the address of a Ramses v3 pool does not follow from its key, poolDeployer and initCodeHash',
  stateCalls: (pool) => [...v3Traits.stateCalls(pool), { to: pool, data: feeSelector }],
  decodeState: withFeeCall(slot0Decoder(7)),
  // Known of older contracts only (docs/protocols.md): no proof rests on it.
  storage: () => null,
  listsPools: {
    pool: spacedPoolSelector,
    // Those that RamsesV3Factory.sol enables.
    keys: [1, 5, 10, 50, 100, 200],
    // tickSpacingInitialFee(int24)
    enabled: '0xcf3a52a6',
  },
  network: {
    key: 'ramsesV3',
    addressKey: 'factory',
    takes: ['poolDeployer', 'initCodeHash'],
    noun: factoryName,
    contracts: ({ address, poolDeployer }) => [
      { key: 'factory', address, probe: spacedFactoryProbe(factoryName) },
      ...(poolDeployer === null
        ? []
        : [{ key: 'factory', address, probe: poolDeployerProbe(poolDeployer) }]),
    ],
  },
}
