import { algebraIntegral } from './algebra-integral/decode.ts'
import { pancakeswapInfinityCl } from './pancakeswap-infinity/decode.ts'
import { pancakeswapV3 } from './pancakeswap-v3/decode.ts'
import type { Protocol } from './protocol.ts'
import { ramsesV3 } from './ramses-v3/decode.ts'
import { slipstream } from './slipstream/decode.ts'
import { uniswapV3 } from './uniswap-v3/decode.ts'
import { uniswapV4 } from './uniswap-v4/decode.ts'

/** Every supported protocol. To add one: its folder, a line here and a fixture in the test. */
export const protocols: readonly Protocol[] = [
  uniswapV3,
  uniswapV4,
  pancakeswapV3,
  slipstream,
  algebraIntegral,
  pancakeswapInfinityCl,
  ramsesV3,
]
