import { describe, expect, it } from 'vitest'
import { faultByText, faultOfError, faultOfStatus, providerTexts } from './classify-error.ts'

const context = { code: -32602, retryAfterSeconds: null, detail: 'host' }

/** Texts as the providers write them; the number is how many blocks they say they would answer. */
const ranges: readonly (readonly [provider: string, text: string, blocks: number | null])[] = [
  ['QuickNode', 'eth_getLogs is limited to a 10,000 range', 10_000],
  ['QuickNode', 'eth_getLogs and eth_newFilter are limited to a 10,000 blocks range', 10_000],
  ['BlockPI', 'eth_getLogs is limited to 1024 block range', 1024],
  ['1RPC', 'eth_getLogs is limited to 0 - 50 blocks range', 50],
  ['1RPC', 'eth_getLogs is limited to a 1000 blocks range', 1000],
  ['dRPC', 'ranges over 10000 blocks are not supported on freetier', 10_000],
  [
    'dRPC',
    'eth_getLogs range over 100000 blocks is not supported on robinhood, request a narrower ' +
      'fromBlock/toBlock range',
    100_000,
  ],
  ['PublicNode', 'exceed maximum block range: 50000', 50_000],
  ['reth', 'query exceeds max block range 100000', 100_000],
  ['Tron', 'exceed max block range: 5000', 5000],
  [
    'Morph',
    'block range is larger than max block range, block range = 5120, max block range = 5000',
    5000,
  ],
  ['Cloudflare', 'Max range: 800', 800],
  [
    'Alchemy',
    'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, ' +
      'this block range should work: [0x1a30dfd, 0x1a30ff0]',
    500,
  ],
  [
    'Alchemy',
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range ' +
      'and no limit on the response size, or you can request any block range with a cap of 10K ' +
      'logs in the response. Based on your parameters and the response size limit, this block ' +
      'range should work: [0x10, 0x1f]',
    16,
  ],
  ['Moonriver', 'up to a 2000 block range', 2000],
  ['Infura', 'range 1000000 exceeds limit of 10000', 10_000],
  ['Ankr', 'block range is too wide', null],
  ['Ankr', 'maximum [from, to] blocks distance: 10000', 10_000],
  ['Somnia', 'block range is too wide (maximum 1024)', 1024],
  ['Base', 'block range too large', null],
  ['Optimism', 'Block range is too large', null],
  ['Blast', 'exceeds the range allowed for your plan (5000 > 2000)', 2000],
  ['Merkle', 'eth_getLogs range is too large, max is 10k blocks', 10_000],
  ['Merkle', 'eth_getLogs range is too large, max is 1k', 1000],
  ['Coinbase', 'please limit the query to at most 1000 blocks', 1000],
  ['Avalanche', 'requested too many blocks from 1 to 2050, maximum is set to 2048', 2048],
  ['thirdweb', 'Maximum allowed number of requested blocks is 1000', 1000],
  ['Swell', 'block range greater than 1000 max', 1000],
  ['Hyperliquid', 'query exceeds max block range 50', 50],
  ['Aurora', 'block range exceeds 1000', 1000],
  ['Harmony', 'query must be smaller than size 1024', 1024],
  ['Chainstack', 'Block range limit exceeded.', null],
  [
    'Infura',
    'query returned more than 10000 results. Try with this block range [0x100E698, 0x100E6D4].',
    61,
  ],
  ['zkSync', 'Query returned more than 10000 results. Try with this block range [0x5, 0x5].', 1],
  ['Nitro', 'logs matched by query exceeds limit of 10000', null],
  ['Alchemy', 'Log response size exceeded.', null],
  ['Nitro', 'log query timed out', null],
  ['public node', 'HTTP response body exceeded the size limit', null],
  ['jsonrpsee', 'Response is too big', null],
  ['Base', 'backend response too large', null],
  ['geth', 'response too large', null],
  ['reth', 'query exceeds max results 20000, retry with the range 49882790-49883500', 711],
]

const rates = [
  'Your app has exceeded its compute units per second capacity. If you have retries enabled, ...',
  'credits limited to 6000/sec',
  'daily request count exceeded, request rate limited',
  'rate limit exceeded',
  'local_rate_limited',
  'Rate-limit reached',
  'Too Many Requests',
  'call rate limit exhausted, retry in 10s',
  'limit exceeded',
  'no backend is currently healthy to serve traffic',
  'request was throttled',
  'monthly requests limit reached',
  'monthly capacity limit: quota exceeded',
]

const behinds = [
  'header not found',
  'header for hash not found',
  'block not found',
  'finalized block not found',
  'Unknown block',
  'missing trie node 5f3759df (path ) state 0x12 is not available',
  'metadata is not found',
  'fromBlock 200 is greater than latest 100',
  'block range extends beyond current head block',
  'requested epoch after last accepted block',
  'BlockOutOfRangeError: block height is 10 but requested was 100',
  'historical state 0xabc is not available',
  'state is not available',
  'old data was pruned',
  'block is not currently canonical',
  'requested data is not available',
  'cannot query unfinalized data',
  'could not find block',
  'resource not found',
]

const reverts = [
  'execution reverted',
  'execution reverted: rate limit exceeded, retry later',
  'execution reverted: block range is too wide. Max range: 1',
  'Execution reverted: header not found',
  'VM Exception while processing transaction: reverted with reason string "x"',
  'VM execution error.',
  'EVM error OutOfGas',
  'out of gas',
  'out of gas: gas required exceeds: 1000000',
  'gas uint64 overflow',
  'invalid opcode: INVALID',
  'invalid jump destination',
  'stack underflow (0 <=> 1)',
  'write protection',
  'max code size exceeded',
  'stack limit reached 1024 (1023)',
  'max call depth exceeded',
  'Error: VM Exception while processing transaction: reverted with custom error "X()"',
]

/**
 * Texts that come with a call and say nothing about its contract. -32603 is Besu's answer where it
 * has no world state, and every proxy's where its node failed.
 */
const refusals = [
  'Internal error',
  'Internal JSON-RPC error.',
  'internal server error',
  'request failed: upstream error, reverted to the next node',
  'gas required exceeds allowance (1000000)',
  'err: intrinsic gas too low: have 21000, want 53000',
  'EVM error: database error: failed to get account',
  'EVM error; database error: connection closed',
  'failed to get state at block',
  'insufficient funds for gas * price + value',
  'invalid argument 0: json: cannot unmarshal hex string',
]

const batches: readonly (readonly [string, number | null])[] = [
  ['Batch of more than 3 requests are not allowed on free tier', 3],
  ['batch limit 100 exceeded (can increase by --rpc.batch.limit)', 100],
  ['batch size limit of 20', 20],
  ['batch size is too large, the maximum batch size is 10', 10],
  ['batch too large', null],
  ['Batch requests are not supported', null],
  ['batch request limit exceeded', null],
  ['too many requests in batch', null],
  ['maximum number of calls in one batch reached', null],
]

describe('what providers say, read by their words', () => {
  it.each(ranges)('%s: %s', (_, text, suggestedBlocks) => {
    expect(faultByText(text, context)).toEqual({
      kind: 'range-too-large',
      suggestedBlocks,
      detail: 'host',
    })
  })

  it.each(rates)('rate: %s', (text) => {
    expect(faultByText(text, { ...context, retryAfterSeconds: 3 })).toEqual({
      kind: 'rate-limited',
      retryAfterSeconds: 3,
      detail: 'host',
    })
  })

  it.each(behinds)('behind: %s', (text) => {
    expect(faultByText(text, context)).toEqual({ kind: 'behind', detail: 'host' })
  })

  it.each(reverts)('a contract may write what it likes: %s', (text) => {
    expect(faultByText(text, context)).toEqual({ kind: 'reverted', detail: 'host' })
  })

  // geth stops a call at --rpc.evmtimeout, however little gas it used.
  it('a call that the node stopped has taken it too long', () => {
    expect(faultByText('execution aborted (timeout = 5s)', context)).toEqual({
      kind: 'too-slow',
      detail: 'host',
    })
  })

  it.each(refusals)('no word of a contract: %s', (text) => {
    for (const code of [-32603, -32000, -32015, -32003, 3]) {
      expect(faultOfError(text, { ...context, code }).kind).toBe('rejected')
    }
  })

  it.each(batches)('batch: %s', (text, callsMax) => {
    expect(faultByText(text, context)).toEqual({
      kind: 'batch-too-large',
      callsMax,
      detail: 'host',
    })
  })

  it('no row of the table without an example here', () => {
    const texts = [
      ...ranges.map(([, text]) => text),
      ...batches.map(([text]) => text),
      ...rates,
      ...behinds,
      ...reverts,
      'execution aborted (timeout = 5s)',
    ]
    const used = new Set(
      texts.map((text) => providerTexts.find(({ pattern }) => pattern.test(text))),
    )
    expect(
      providerTexts.filter((row) => !used.has(row)).map(({ pattern }) => pattern.source),
    ).toEqual([])
  })

  it.each([
    ['an inverted range', 'Try with this block range [0x20, 0x10]: query returned more than 1'],
    ['no blocks', 'Max range: 0'],
    ['beyond measure', 'Max range: 99999999999999999999'],
  ])('a stated range that makes no sense is not believed: %s', (_, text) => {
    expect(faultByText(text, context)).toMatchObject({ suggestedBlocks: null })
  })
})

describe('unknown texts', () => {
  const text = 'the moon is in the wrong phase'

  it('are a rejection, whatever the code', () => {
    for (const code of [-32602, -32005, -32000, -32600, 3, 'x', undefined]) {
      expect(faultOfError(text, { ...context, code })).toEqual({ kind: 'rejected', detail: 'host' })
    }
  })

  it('but the code 429 means everywhere the same', () => {
    expect(faultOfError(text, { ...context, code: 429 }).kind).toBe('rate-limited')
    expect(faultOfError('Max range: 5', { ...context, code: 429 }).kind).toBe('range-too-large')
  })

  it.each([
    [429, true, 'rate-limited'],
    [408, false, 'rate-limited'],
    [400, false, 'rejected'],
    [413, false, 'rejected'],
    [500, true, 'rejected'],
    [500, false, 'unreachable'],
    [503, false, 'unreachable'],
    [401, true, 'unreachable'],
    [403, false, 'unreachable'],
    [404, false, 'unreachable'],
  ])('HTTP %s, explained %s: %s', (status, explained, kind) => {
    expect(faultOfStatus(status, { ...context, explained }).kind).toBe(kind)
  })
})

describe('the patterns', () => {
  it('take no time over a hostile text', () => {
    for (const text of [
      'block '.repeat(1e5),
      'batch size '.repeat(1e5),
      `range ${'1'.repeat(1e6)}`,
    ]) {
      // Milliseconds; if time grew with the square of the length it would be minutes.
      const start = performance.now()
      faultByText(text, context)
      expect(performance.now() - start).toBeLessThan(30_000)
    }
  })
})
