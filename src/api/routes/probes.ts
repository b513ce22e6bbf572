import { success } from '../../domain/outcome.ts'
import { LivenessSchema } from '../schemas/service.ts'
import { defineEndpoint } from './endpoint.ts'

const probe = {
  pathFields: {},
  queryFields: {},
  schema: LivenessSchema,
  cache: 'no-store',
  /** An orchestrator that is turned away restarts what works. */
  rateLimited: false,
  notFound: null,
  tag: 'service',
  answer: () => success({ ok: true }),
} as const

export const livenessEndpoint = defineEndpoint({
  ...probe,
  path: '/healthz',
  operationId: 'getLiveness',
  summary: 'Liveness, for orchestrators: the process answers.',
  needsSnapshot: false,
})

export const readinessEndpoint = defineEndpoint({
  ...probe,
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Readiness, for orchestrators: 503 until the first snapshot.',
  needsSnapshot: true,
})
