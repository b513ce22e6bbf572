import type { Address, Hash } from '../../units.ts'
import { uint16At } from '../abi-words.ts'
import { computeAlgebraAddress } from '../pool-id.ts'
import {
  type PoolStorage,
  type Probe,
  type Protocol,
  slot0Decoder,
  toDecoders,
} from '../protocol.ts'
import { poolDeployerSelector, v3SwapTopic, v3Traits } from '../v3-pools.ts'
import { algebraCreations, algebraMapTopics, algebraPoolEvents } from './events.ts'

/**
 * Algebra Integral (cryptoalgebra/Algebra, 1.0 to 1.2; docs/protocols.md). A pool trades as one of
 * Uniswap v3, but its fee and its tick spacing are set by logs, a plugin may act in its swaps, and
 * a swap walks a list of the ticks with positions.
 */
const factoryName = 'factory of Algebra Integral'

/** globalState(): IAlgebraPoolState.sol, six words from 1.0 on. */
const globalStateSelector = '0xe76c01e4'
const liquiditySelector = '0x1a686502'
/** POOL_INIT_CODE_HASH(): AlgebraFactory.sol */
const initCodeHashSelector = '0xdc6fd8ab'

/** AlgebraPoolBase.sol: from 1.2 on plugin fees take a slot before the table of ticks. */
const layoutTo11: PoolStorage = {
  ...{ pools: null, slot0: 2n, ticks: 3n, bitmap: null },
  ...{ liquidity: 8n, liquidityBit: 48 },
}
const layoutFrom12: PoolStorage = { ...layoutTo11, liquidity: 9n }

/** Where a build of the contracts keeps its state; the hashes of npm's and of Alandale's. */
const layouts: ReadonlyMap<Hash, PoolStorage> = new Map([
  ['0xf96d2474815c32e070cd63233f06af5413efc5dcb430aee4ff18cc29007c562d', layoutTo11],
  ['0x4b9e4a8044ce5695e06fce9421a63b6f5c3db8a561eebb30ea4c775469e36eaf', layoutTo11],
  ['0xa18736c3ee97fe3c96c9428c0cc2a9116facec18e84f95f9da30543f8238a782', layoutFrom12],
  ['0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c', layoutFrom12],
])

/** Those of PancakeSwap v3 have a pool deployer too. */
const factoryProbe: Probe = { name: factoryName, data: initCodeHashSelector, answerBytes: 32 }

const poolDeployerProbe = (poolDeployer: Address): Probe => ({
  name: factoryName,
  data: poolDeployerSelector,
  answerBytes: 32,
  expected: { address: poolDeployer, otherwise: 'its pools are of another pool deployer' },
})

export const algebraIntegral: Protocol = {
  ...v3Traits,
  id: 'algebra-integral',
  name: 'Algebra Integral',
  creationEvents: toDecoders(algebraCreations),
  poolEvents: toDecoders(algebraPoolEvents),
  fee: 'state',
  logsLpFee: true,
  hasSettings: true,
  swapStops: 'ticks',
  protocolFee: 'thousandths',
  swapTopic: v3SwapTopic,
  liquidityTopics: [...v3Traits.liquidityTopics, ...algebraMapTopics],
  computeId: (key, { poolDeployer: deployer, initCodeHash }, keccak256) =>
    deployer && initCodeHash && computeAlgebraAddress(key, { deployer, initCodeHash }, keccak256),
  invalidIdReason:
    'the address of an Algebra pool does not follow from its tokens and deployer, poolDeployer ' +
    'and initCodeHash',
  stateCallNames: ['globalState()', 'liquidity()'],
  stateCalls: (id) => [
    { to: id, data: globalStateSelector },
    { to: id, data: liquiditySelector },
  ],
  decodeState: slot0Decoder(6, (state) => ({
    lpFee: uint16At(state, 2),
    protocolFee: uint16At(state, 4),
  })),
  storage: (initCodeHash) => (initCodeHash === null ? null : (layouts.get(initCodeHash) ?? null)),
  listsPools: null,
  network: {
    key: 'algebraIntegral',
    addressKey: 'factory',
    takes: ['poolDeployer', 'initCodeHash'],
    noun: factoryName,
    contracts: ({ address, poolDeployer }) => [
      { key: 'factory', address, probe: factoryProbe },
      ...(poolDeployer === null
        ? []
        : [{ key: 'factory', address, probe: poolDeployerProbe(poolDeployer) }]),
    ],
  },
}
