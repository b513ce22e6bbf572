import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { chain, day } from '../../store-contract/fixtures.ts'
import { batchNumber, branchEnd, replacementNumber } from './numbered-batches.ts'

/** Replaces branch by branch, saying each number once it is in, until it is killed. */
const [, , path = ''] = process.argv

const opened = createSqliteStore({ path })
if (!opened.ok) throw new Error(opened.fault)
const store = opened.value
await store.claim(chain, day)
const header = await store.snapshot((snapshot) => snapshot.header())
const from = header?.epoch === 0 ? (header.cursor?.block ?? 0) : branchEnd
for (let number = from + 1; number <= branchEnd; number++)
  await store.commitRange(batchNumber(number))
for (let number = (header?.epoch ?? 0) + 1; ; number++) {
  const outcome = await store.replaceBranch(replacementNumber(number))
  if (outcome !== 'committed') throw new Error(`branch ${number} is ${outcome}`)
  await new Promise((sent) => process.send?.(number, sent))
}
