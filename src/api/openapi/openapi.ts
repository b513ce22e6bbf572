import { methodologyVersion } from '../../domain/methodology.ts'
import type { TextRoute } from '../routes/route.ts'
import { componentSchemas } from './components.ts'
import { endpointOperation, rawOperation, toPathTemplate } from './operations.ts'

const description = `Prices, reserves, volumes and freshness of Uniswap v3 and v4 pools of
tokenized stocks. Read-only, without authentication. Times are Unix seconds; \`null\` means not
known and \`0\` means observed to be zero; every response comes from one snapshot. Stale data is not
an error: check \`dataStatus\` and \`statusReasons\`, not the status code. The rules behind every
number are those of methodology ${methodologyVersion} (\`/api/v1/methodology\`).`

const tags = [
  { name: 'market', description: 'Pools and stocks.' },
  { name: 'service', description: 'The service and its state.' },
]

/** The OpenAPI 3.1 document, built from the schemas and fields that the routes use. */
export const openapiRoute: TextRoute = {
  path: '/api/v1/openapi.json',
  summary: 'This API as OpenAPI 3.1.',
  type: 'application/json; charset=utf-8',
  cache: 'document',
  rateLimited: true,
  render: ({ catalogue }) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'stockpools',
        version: '1.0.0',
        summary: 'Verifiable market data for pools of tokenized stocks.',
        description: description.replaceAll('\n', ' '),
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags,
      paths: Object.fromEntries([
        ...catalogue.endpoints.map((route) => [
          toPathTemplate(route.path),
          endpointOperation(route),
        ]),
        ...catalogue.rawRoutes.map((route) => [toPathTemplate(route.path), rawOperation(route)]),
      ]),
      components: { schemas: componentSchemas() },
    }),
}
