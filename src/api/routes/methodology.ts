import { createHash } from 'node:crypto'
import { listParameters, type Parameter } from '../../domain/methodology.ts'
import { success } from '../../domain/outcome.ts'
import { MethodologySchema } from '../schemas/service.ts'
import { defineEndpoint } from './route.ts'

/** The texts that explain a parameter may be improved without changing what it is. */
const hashOf = (version: string, parameters: readonly Parameter[]): `0x${string}` => {
  const values = parameters.map(({ name, value }) => [name, value])
  const text = JSON.stringify([version, values])
  return `0x${createHash('sha256').update(text).digest('hex')}`
}

export const methodologyEndpoint = defineEndpoint({
  path: '/api/v1/methodology',
  operationId: 'getMethodology',
  tag: 'service',
  summary: 'The rules in force as figures, with a hash: the same hash, the same numbers.',
  schema: MethodologySchema,
  rateLimited: true,
  answer: ({ market }) => {
    const version = market.health().methodologyVersion
    const parameters = listParameters(market.status().policy)
    return success({ version, hash: hashOf(version, parameters), parameters })
  },
})
