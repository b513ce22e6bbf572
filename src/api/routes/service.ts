import { success } from '../../domain/outcome.ts'
import { HealthSchema, LivenessSchema, StatusSchema } from '../schemas/service.ts'
import { defineEndpoint, type TextRoute } from './route.ts'

/** Answers from the start: before the first snapshot it says `ok: false`. */
export const healthEndpoint = defineEndpoint({
  path: '/api/v1/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Whether the service works, with pool counts, the ETH price and the four sources.',
  rateLimited: true,
  schema: HealthSchema,
  answer: ({ market }) => success(market.health()),
})

export const statusEndpoint = defineEndpoint({
  path: '/api/v1/status',
  operationId: 'getStatus',
  tag: 'service',
  summary: 'The age rules in force, the four sources, and where the index stands on the chain.',
  rateLimited: true,
  schema: StatusSchema,
  answer: ({ market }) => success(market.status()),
})

const probe = {
  schema: LivenessSchema,
  /** An orchestrator that is turned away restarts what works. */
  rateLimited: false,
  tag: 'service',
  answer: () => success({ ok: true }),
} as const

export const livenessEndpoint = defineEndpoint({
  ...probe,
  path: '/healthz',
  operationId: 'getLiveness',
  summary: 'Liveness, for orchestrators: the process answers.',
})

export const readinessEndpoint = defineEndpoint({
  ...probe,
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Readiness, for orchestrators: 503 until the first snapshot.',
  needsSnapshot: true,
})

export const metricsDocument: TextRoute = {
  path: '/metrics',
  summary: 'Measurements of this process and its sources, for Prometheus.',
  type: 'text/plain; version=0.0.4; charset=utf-8',
  cache: 'no-store',
  // A monitor must not be refused for watching.
  rateLimited: false,
  text: ({ measure }) => measure(),
}
