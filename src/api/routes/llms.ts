import type { Endpoint, RouteContext, TextRoute } from './route.ts'

const introduction = `# stockpools

> Market data for Uniswap v3 and v4 pools of tokenized stocks: prices, reserves, volumes, premiums
> over the stock's reference price, and the freshness of each number. Read-only JSON over HTTP, no
> authentication, CORS for every origin.

Before you use a number:

- Times are integer Unix seconds. Prices and amounts are JSON numbers; sqrtPriceX96 and liquidity
  are decimal strings. \`null\` means not known, \`0\` means observed to be zero.
- Check \`dataStatus\` of each row: \`fresh\`, \`partial\` (a number is missing or older),
  \`stale\` (all of it is old) or \`unavailable\`. \`statusReasons\` says why. Old data is a
  response with status 200, not an error.
- Identify a token by its address, never by its symbol: anyone can deploy a token called NVDA.
  \`/api/v1/resolve\` gives the one verified address of a ticker or name. \`stockSymbol\` comes from
  the issuer's registry.
- \`/api/v1/prices\` gives prices by address with a \`confidence\`; say so when it is low.
- \`stockPriceUsd\` of a meme pool is the reference price; its \`otherPriceUsd\` is implied by it.
- \`premiumBps\` compares a pool with an independent reference while the exchange is open;
  \`driftBps\` compares it with the last reference while the exchange is closed.
- Every response comes from one snapshot of the index; \`asOfBlock\` is its block.
- Errors are problem documents (RFC 9457): \`error.code\` is for programs, \`error.param\` names
  the parameter.
`

const formatRoute = ({ path, summary }: { readonly path: string; readonly summary: string }) =>
  `- [${path}](${path}): ${summary}`

const formatParameters = ({ pathFields, queryFields }: Endpoint): readonly string[] =>
  [...Object.entries(pathFields), ...Object.entries(queryFields)].map(
    ([name, { description, rule }]) => `  - ${name}: ${description} Must be ${rule}.`,
  )

const render = ({ catalogue, network }: RouteContext): string =>
  [
    introduction,
    network.sandbox
      ? 'This instance is a SANDBOX: none of its numbers are from a real market.\n'
      : '',
    '## Endpoints\n',
    ...catalogue.endpoints.flatMap((route) => [formatRoute(route), ...formatParameters(route)]),
    '\n## Documents\n',
    ...catalogue.textRoutes.map(formatRoute),
    '\n## Stream and MCP\n',
    ...catalogue.rawRoutes.map(formatRoute),
    '',
  ].join('\n')

/** The API for language models (llmstxt.org). */
export const llmsRoute: TextRoute = {
  path: '/llms.txt',
  summary: 'This API as text for language models.',
  type: 'text/plain; charset=utf-8',
  cache: 'document',
  rateLimited: true,
  render,
}
