import type { Document } from './text-route.ts'

export const metricsDocument: Document = {
  path: '/metrics',
  summary: 'Measurements of this process and its sources, for Prometheus.',
  type: 'text/plain; version=0.0.4; charset=utf-8',
  cache: 'no-store',
  // Whoever watches must not be turned away for watching.
  rateLimited: false,
  text: ({ measure }) => measure(),
}
