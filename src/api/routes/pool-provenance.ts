import { failure, success } from '../../domain/outcome.ts'
import { selectField } from '../../domain/provenance/select-field.ts'
import type { PoolProvenanceView } from '../../domain/views/provenance.ts'
import { problems } from '../http/problems.ts'
import { asOfFields, checkAsOf, pastProblem, toAskedMoment } from '../schemas/as-of-fields.ts'
import { PoolProvenanceSchema, provenanceField } from '../schemas/pool-provenance.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

export const poolProvenanceEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/provenance',
  operationId: 'getPoolProvenance',
  description:
    "For each number of a pool's record the formula that made it, the inputs with " +
    'their sources and the section of the methodology, so that anybody can make it ' +
    'again.',
  tag: 'market',
  summary:
    'Returns how each number of one pool was made, now or at a block: formula, inputs and sources.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { field: provenanceField, ...asOfFields },
  schema: PoolProvenanceSchema,
  notFound: 'pool_not_found',
  errors: ['record_not_found', 'history_pruned'],
  check: checkAsOf,
  answer: async ({ market }, { path, query }) => {
    const { field } = query
    const select = (provenance: PoolProvenanceView) =>
      success(field === null ? provenance : selectField(provenance, field))
    const asked = toAskedMoment(query)
    if (asked !== null) {
      const found = await market.provenanceAt(path.id, asked)
      if (found === null) return failure(problems.poolNotFound)
      return found.ok ? select(found.value) : failure(pastProblem(asked, found.fault))
    }
    const provenance = await market.provenance(path.id)
    return provenance === null ? failure(problems.poolNotFound) : select(provenance)
  },
})
