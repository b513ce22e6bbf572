import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { chain, day } from '../../store-contract/fixtures.ts'
import { batchNumber } from './numbered-batches.ts'

/** Commits batch after batch, saying each number once it is committed, until it is killed. */
const [, , path = ''] = process.argv

const opened = createSqliteStore({ path })
if (!opened.ok) throw new Error(opened.fault)
const store = opened.value
await store.claim(chain, day)
const header = await store.snapshot((snapshot) => snapshot.header())
for (let number = (header?.cursor?.block ?? 0) + 1; ; number++) {
  const outcome = await store.commitRange(batchNumber(number))
  if (outcome !== 'committed') throw new Error(`batch ${number} is ${outcome}`)
  await new Promise((sent) => process.send?.(number, sent))
}
