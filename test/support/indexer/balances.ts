import type { Address, BlockNumber } from '../../../src/domain/units.ts'
import type { CallResult } from '../../../src/ports/chain-reader.ts'
import type { SamplePool } from '../domain/sample-pool.ts'
import type { FakeChain } from './fake-chain.ts'
import { contractOf, encode, one, returned } from './market.ts'

/** A balance, or the answer in place of one. */
export type Balance = bigint | CallResult

type BalanceAt = (at: BlockNumber) => Balance

const answerOf = (balance: Balance): CallResult =>
  typeof balance === 'bigint' ? returned(encode('uint256', balance)) : balance

const metadata = contractOf({
  'symbol()': () => returned(encode('string', 'X')),
  'name()': () => returned(encode('string', 'X')),
  'decimals()': () => returned(encode('uint8', 18)),
  'uiMultiplier()': () => returned(encode('uint256', one)),
  'newUIMultiplier()': () => returned(encode('uint256', one)),
  'effectiveAt()': () => returned(encode('uint256', 0n)),
  'oraclePaused()': () => returned(encode('bool', false)),
})

/** Lets tokens say what a pool holds, besides their metadata; other holders have nothing. */
export const deployBalances = (
  chain: FakeChain,
  { id }: Pick<SamplePool, 'id'>,
  balances: readonly (readonly [token: Address, balance: Balance | BalanceAt])[],
): void => {
  for (const [token, balance] of balances) {
    const held = contractOf({
      'balanceOf(address)': (who, at) => {
        if (!who.endsWith(id.slice(2))) return answerOf(0n)
        return answerOf(typeof balance === 'function' ? balance(at) : balance)
      },
    })
    chain.deploy(token, (data, at) =>
      data.startsWith('0x70a08231') ? held(data, at) : metadata(data, at),
    )
  }
}
