import { success } from '../../domain/outcome.ts'
import { HealthSchema, LivenessSchema, StatusSchema } from '../schemas/service.ts'
import { defineEndpoint, type TextRoute } from './route.ts'

/** Available from the start; `ok` is false until the first snapshot. */
export const healthEndpoint = defineEndpoint({
  path: '/api/v1/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Returns whether the service works, pool counts, the ETH price and the four sources.',
  rateLimited: true,
  schema: HealthSchema,
  answer: ({ market }) => success(market.health()),
})

export const statusEndpoint = defineEndpoint({
  path: '/api/v1/status',
  operationId: 'getStatus',
  tag: 'service',
  summary: 'Returns the age limits in force, the four sources and the progress of the index.',
  rateLimited: true,
  schema: StatusSchema,
  answer: ({ market }) => success(market.status()),
})

const probe = {
  schema: LivenessSchema,
  /** An orchestrator restarts a service that rejects its probes. */
  rateLimited: false,
  tag: 'service',
  answer: () => success({ ok: true }),
} as const

export const livenessEndpoint = defineEndpoint({
  ...probe,
  path: '/healthz',
  operationId: 'getLiveness',
  summary: 'Liveness probe: the process responds.',
})

export const readinessEndpoint = defineEndpoint({
  ...probe,
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Readiness probe: 503 until the first snapshot.',
  needsSnapshot: true,
})

export const metricsRoute: TextRoute = {
  path: '/metrics',
  summary: 'Metrics of this process and its sources for Prometheus.',
  type: 'text/plain; version=0.0.4; charset=utf-8',
  cache: 'no-store',
  // Figures of the process are for its operator.
  crossOrigin: 'none',
  // Monitoring must work during a flood of requests.
  rateLimited: false,
  render: ({ renderMetrics }) => renderMetrics(),
}
