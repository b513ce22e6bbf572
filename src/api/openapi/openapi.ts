import { methodologyVersion } from '../../domain/methodology.ts'
import type { TextRoute } from '../routes/route.ts'
import { componentSchemas } from './components.ts'
import { endpointOperation, rawOperation, templateOf } from './operations.ts'

const description = `Prices, reserves, volumes and freshness of Uniswap v3 and v4 pools that hold a
tokenized stock. Read-only, without authentication. Times are Unix seconds; \`null\` means not known
and \`0\` means observed to be zero; every reply comes from one snapshot. Staleness is data: look at
\`dataStatus\` and \`statusReasons\`, never at the status code. The rules behind every number are
those of methodology ${methodologyVersion} (\`/api/v1/methodology\`).`

const tags = [
  { name: 'market', description: 'Pools and stocks.' },
  { name: 'service', description: 'How the service fares, and what it is.' },
]

/** The machine's description of the API (OpenAPI 3.1), made of the very schemas that validate. */
export const openapiDocument: TextRoute = {
  path: '/api/v1/openapi.json',
  summary: 'This API as OpenAPI 3.1.',
  type: 'application/json; charset=utf-8',
  cache: 'document',
  rateLimited: true,
  text: ({ catalogue }) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'stockpools',
        version: '1.0.0',
        summary: 'Market data of stock pools that can be checked.',
        description: description.replaceAll('\n', ' '),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The service that this document came from.' }],
      tags,
      paths: Object.fromEntries([
        ...catalogue.endpoints.map((each) => [templateOf(each.path), endpointOperation(each)]),
        ...catalogue.channels.map((each) => [each.path, rawOperation(each)]),
      ]),
      components: { schemas: componentSchemas() },
    }),
}
