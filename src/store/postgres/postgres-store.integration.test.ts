import { afterAll } from 'vitest'
import { startPostgres } from '../../../test/setup/postgres.ts'
import { storeContract } from '../../../test/store-contract/contract.ts'
import { createBenches } from '../../../test/support/store/benches.ts'

const server = await startPostgres()
const inDays = createBenches(server, 'in-days')
const inOne = createBenches(server, 'in-one')
afterAll(async () => {
  await inDays.close()
  await inOne.close()
  await server.dispose()
})

storeContract('PostgreSQL', inDays.open, { isDurable: true })
storeContract('PostgreSQL without partitions', inOne.open, { isDurable: true })
