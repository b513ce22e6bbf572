import type { Endpoint, RouteContext, TextRoute } from './route.ts'

const introduction = `# stockpools

> Market data of Uniswap v3 and v4 pools that hold a tokenized stock: prices, reserves, volumes,
> premiums against the stock's reference price, and how fresh each number is. Read-only JSON over
> HTTP, no authentication, CORS for everybody.

Read this before you use a number:

- Times are integer Unix seconds. Prices and amounts are JSON numbers; sqrtPriceX96 and liquidity
  are decimal strings. \`null\` means not known, \`0\` means observed to be zero.
- Look at \`dataStatus\` of each row: \`fresh\`, \`partial\` (a number is missing or older),
  \`stale\` (all of it is old) or \`unavailable\`. \`statusReasons\` says why. Old data is an answer
  with status 200, not an error.
- Identify a token by its address, never by its symbol: anybody may deploy a token called NVDA.
  \`stockSymbol\` comes from the issuer's registry.
- \`stockPriceUsd\` of a meme pool is the reference price; its \`otherPriceUsd\` is implied by it.
- \`premiumBps\` compares a pool with an independent reference while the market is open;
  \`driftBps\` is the same against the last reference when it is closed.
- Every reply comes from one snapshot of the index; \`asOfBlock\` says which.
- Errors are problem documents (RFC 9457); \`error.code\` is for programs, \`error.param\` names the
  parameter.
`

const lineOf = ({ path, summary }: { readonly path: string; readonly summary: string }): string =>
  `- [${path}](${path}): ${summary}`

const parametersOf = ({ pathFields, queryFields }: Endpoint): readonly string[] =>
  [...Object.entries(pathFields), ...Object.entries(queryFields)].map(
    ([name, { description, rule }]) => `  - ${name}: ${description} Must be ${rule}.`,
  )

const textOf = ({ catalogue, network }: RouteContext): string =>
  [
    introduction,
    network.sandbox ? 'This instance is a SANDBOX: nothing here is a real market.\n' : '',
    '## Questions\n',
    ...catalogue.endpoints.flatMap((endpoint) => [lineOf(endpoint), ...parametersOf(endpoint)]),
    '\n## Documents\n',
    ...catalogue.documents.map(lineOf),
    '\n## Streams and conversations\n',
    ...catalogue.channels.map(lineOf),
    '',
  ].join('\n')

/** What a language model should know before it asks (llmstxt.org). */
export const llmsDocument: TextRoute = {
  path: '/llms.txt',
  summary: 'This service in words, for language models.',
  type: 'text/plain; charset=utf-8',
  cache: 'document',
  rateLimited: true,
  text: textOf,
}
