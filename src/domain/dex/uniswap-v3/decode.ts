import { parseWords, uint8At } from '../abi-words.ts'
import { computePoolAddress } from '../pool-id.ts'
import { eventDecoder, type Probe, type Protocol, toDecoders } from '../protocol.ts'
import {
  poolDeployerSelector,
  v3FactoryProbe,
  v3PoolCreated,
  v3PoolEvents,
  v3Swap,
  v3SwapTopic,
  v3Traits,
} from '../v3-pools.ts'

/** Uniswap v3, and forks that kept its contracts. */
const id = 'uniswap-v3'

/** SetFeeProtocol(uint8,uint8,uint8,uint8) */
const setFeeProtocolTopic = '0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133'

/** UniswapV3Pool.setFeeProtocol: both numbers in one, that of token1 in the high bits. */
const setFeeProtocol = eventDecoder({
  topic: setFeeProtocolTopic,
  name: 'SetFeeProtocol',
  indexed: 0,
  words: 4,
  read: ({ data }) => ({ of0: uint8At(data, 2), of1: uint8At(data, 3) }),
  toEvent: ({ of0, of1 }, { address, at }) => ({
    kind: 'protocol-fee-set',
    poolId: address,
    at,
    protocolFee: (of0 & 0b1111) + ((of1 & 0b1111) << 4),
  }),
})

/** slot0 has the protocol's part as its sixth word; the fee of the key is no part of it. */
const decodeState: Protocol['decodeState'] = (answers) => {
  const state = v3Traits.decodeState(answers)
  const slot0 = parseWords(answers.slot0, 7)
  const protocolFee = slot0 && uint8At(slot0, 5)
  return state && { ...state, fees: protocolFee === null ? null : { lpFee: 0, protocolFee } }
}

/**
 * The factory of PancakeSwap v3 answers the other probe as well, and its pools emit another Swap.
 * Uniswap's factory deploys its pools itself.
 */
const foreignFactoryProbe: Probe = {
  name: 'v3 factory',
  data: poolDeployerSelector,
  answerBytes: 32,
  unexpected: 'it has a pool deployer, as factories of PancakeSwap v3 and its forks have',
}

export const uniswapV3: Protocol = {
  ...v3Traits,
  id,
  name: 'Uniswap v3',
  creationEvents: toDecoders([v3PoolCreated(id)]),
  poolEvents: toDecoders([v3Swap, ...v3PoolEvents, setFeeProtocol]),
  protocolFee: 'quotient',
  decodeState,
  swapTopic: v3SwapTopic,
  // Without an init code hash (a fork) the address cannot be checked.
  computeId: (key, { address: deployer, initCodeHash }, keccak256) =>
    initCodeHash && computePoolAddress({ ...key, deployer, initCodeHash }, keccak256),
  invalidIdReason: 'the address of a v3 pool does not follow from its key and initCodeHash',
  // v3-core 1.0.1, UniswapV3Pool.sol: the first, fifth, sixth and seventh variable.
  storage: { pools: null, slot0: 0n, liquidity: 4n, ticks: 5n, bitmap: 6n },
  network: {
    key: 'uniswapV3',
    addressKey: 'factory',
    takes: ['initCodeHash'],
    noun: 'v3 factory',
    contracts: ({ address }) => [
      { key: 'factory', address, probe: v3FactoryProbe('v3 factory') },
      { key: 'factory', address, probe: foreignFactoryProbe },
    ],
  },
}
