import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBigMarket } from '../api/big-market.ts'

/** Measures the heap of a read model of the given number of pools, in its own process. */
export type ModelReport = { readonly heapMb: number }

const market = await createBigMarket(Number(process.argv[2]))
setFlagsFromString('--expose-gc')
runInNewContext('gc')()
const report: ModelReport = { heapMb: process.memoryUsage().heapUsed / 1e6 }
process.send?.(report, () => process.exit(market.market.refresh === undefined ? 1 : 0))
