import { createHash } from 'node:crypto'
import { listParameters, type Parameter, parametersText } from '../../domain/methodology.ts'
import { success } from '../../domain/outcome.ts'
import { MethodologySchema } from '../schemas/service.ts'
import { defineEndpoint } from './route.ts'

const hashParameters = (version: string, parameters: readonly Parameter[]): `0x${string}` =>
  `0x${createHash('sha256').update(parametersText(version, parameters)).digest('hex')}`

export const methodologyEndpoint = defineEndpoint({
  path: '/api/v1/methodology',
  operationId: 'getMethodology',
  description:
    'Every limit and threshold that a number depends on, with its unit and section, ' +
    'and a hash of all: two services with the same hash and network file report the ' +
    'same numbers.',
  tag: 'service',
  summary:
    'Returns the parameters of the methodology in force, with a hash that changes with them.',
  schema: MethodologySchema,
  rateLimited: true,
  answer: ({ market }) => {
    const version = market.health().methodologyVersion
    const parameters = listParameters(market.status().policy)
    return success({ version, hash: hashParameters(version, parameters), parameters })
  },
})
