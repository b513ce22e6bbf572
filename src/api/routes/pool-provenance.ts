import { failure, success } from '../../domain/outcome.ts'
import { selectField } from '../../domain/provenance/select-field.ts'
import { problems } from '../http/problems.ts'
import { PoolProvenanceSchema, provenanceField } from '../schemas/pool-provenance.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

export const poolProvenanceEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/provenance',
  operationId: 'getPoolProvenance',
  tag: 'market',
  summary: 'Returns how each number of one pool was made: formula, inputs and their sources.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { field: provenanceField },
  schema: PoolProvenanceSchema,
  notFound: 'pool_not_found',
  answer: async ({ market }, { path, query: { field } }) => {
    const provenance = await market.provenance(path.id)
    if (provenance === null) return failure(problems.poolNotFound)
    return success(field === null ? provenance : selectField(provenance, field))
  },
})
