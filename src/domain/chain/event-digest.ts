import type { PoolEvent } from '../pool/pool-event.ts'
import type { Hex } from '../units.ts'

export type TextHash = (text: string) => Hex

const argumentsOf = (event: PoolEvent): readonly unknown[] => {
  switch (event.kind) {
    case 'created': {
      const { token0, token1, fee, tickSpacing, hooks, deployer, parameters } = event.key
      const key = [token0, token1, fee, tickSpacing, hooks]
      const optional = [deployer, parameters].filter((each) => each !== undefined && each !== null)
      return [event.protocol, event.venue, ...key, ...optional]
    }
    case 'swapped': {
      const { amount0, amount1, sqrtPriceX96, liquidity, tick, fee } = event
      const parties = [event.sender, event.recipient]
      return [amount0, amount1, sqrtPriceX96, liquidity, tick, fee, ...parties]
    }
    case 'liquidity-changed':
      return [event.tickLower, event.tickUpper, event.liquidityDelta]
    case 'protocol-fee-set':
      return [event.protocolFee]
    case 'lp-fee-set':
      return [event.lpFee]
    case 'setting-set':
      return [event.tickSpacing ?? '', event.pluginConfig ?? '']
    case 'swap-fees-announced':
      return [event.overrideFee, event.pluginFee]
    case 'initialized':
      return [event.sqrtPriceX96, event.tick]
  }
}

/**
 * One line per event, equal for a decoded and a stored event:
 * `block|blockHash|txHash|logIndex|kind|` and the arguments, pool id first. The store keeps no
 * transaction of a creation, so its two fields are empty. The transaction's index and whose
 * position changed take no part: rows of earlier versions lack them.
 */
export const eventLine = (event: PoolEvent): string => {
  const { block, blockHash, txHash, logIndex } = event.at
  const place = event.kind === 'created' ? ['', ''] : [txHash, logIndex]
  const args = [event.poolId, ...argumentsOf(event)].join(',')
  return [block, blockHash, ...place, event.kind, args].join('|')
}

/** Digest of events in any order: the hash of their sorted lines (methodology §7). */
export const eventDigest = (lines: readonly string[], hash: TextHash): Hex =>
  hash(lines.toSorted().join('\n'))
