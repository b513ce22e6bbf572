import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBigMarket } from '../api/big-market.ts'

/** What an API process's read model of so many pools holds, in a process of its own. */
export type ModelReport = { readonly heapMb: number }

const market = await createBigMarket(Number(process.argv[2]))
setFlagsFromString('--expose-gc')
runInNewContext('gc')()
const report: ModelReport = { heapMb: process.memoryUsage().heapUsed / 1e6 }
process.send?.(report, () => process.exit(market.market.refresh === undefined ? 1 : 0))
