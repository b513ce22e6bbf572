import { success } from '../../domain/outcome.ts'
import { HealthSchema, LivenessSchema, StatusSchema } from '../schemas/service.ts'
import { defineEndpoint, type TextRoute } from './route.ts'

/** Available from the start; `ok` is false until the first snapshot. */
export const healthEndpoint = defineEndpoint({
  path: '/api/v1/health',
  operationId: 'getHealth',
  description:
    'Whether the service itself works, with counts of pools and the state of each ' +
    'source. It answers with status 200 while a source or a quote is old: look at ' +
    '`sources` for that.',
  tag: 'service',
  summary: 'Returns whether the service works, pool counts, the ETH price and the four sources.',
  rateLimited: true,
  schema: HealthSchema,
  answer: ({ market }) => success(market.health()),
})

export const statusEndpoint = defineEndpoint({
  path: '/api/v1/status',
  operationId: 'getStatus',
  description:
    'The age limits in force, the four sources, how far the index is behind the chain, ' +
    'the progress of a backfill and how complete the index is for each venue.',
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
  description:
    'For orchestrators: answers as long as the process does, whatever the state of its ' + 'data.',
  summary: 'Liveness probe: the process responds.',
})

export const readinessEndpoint = defineEndpoint({
  ...probe,
  path: '/readyz',
  operationId: 'getReadiness',
  description:
    'For orchestrators and load balancers: 503 until the first snapshot is built, and ' +
    '200 from then on.',
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
