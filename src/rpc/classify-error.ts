import { failure } from '../domain/outcome.ts'
import type { RpcFault } from '../ports/chain-reader.ts'

/**
 * What a node says. The port's faults, and three that concern this folder only: a batch may be
 * longer than the endpoint takes, a contract call may end without a result, and a question may
 * outlive its deadline however often it is asked.
 */
export type RpcCallFault =
  | RpcFault
  | { readonly kind: 'batch-too-large'; readonly callsMax: number | null; readonly detail: string }
  | { readonly kind: 'reverted'; readonly detail: string }
  | { readonly kind: 'too-slow'; readonly detail: string }

/** What came is not what was asked for. */
export const malformed = (detail: string): { readonly ok: false; readonly fault: RpcCallFault } =>
  failure({ kind: 'malformed', detail })

type Meaning = 'reverted' | 'range' | 'batch' | 'rate' | 'behind'

/** `n`: how much the provider says it would answer. */
type ProviderText = { readonly means: Meaning; readonly says: RegExp }

const range = (says: RegExp): ProviderText => ({ means: 'range', says })
const batch = (says: RegExp): ProviderText => ({ means: 'batch', says })
const rate = (says: RegExp): ProviderText => ({ means: 'rate', says })
const behind = (says: RegExp): ProviderText => ({ means: 'behind', says })
const reverted = (says: RegExp): ProviderText => ({ means: 'reverted', says })

/**
 * Every provider text that we know, the first match wins; the tests name who says what.
 * The order is the meaning: a revert comes first, because what follows "execution reverted" was
 * written by the contract, and no token may talk us into a pause; rate texts come after ranges,
 * because a provider that says "limited to 10,000 blocks" wants a smaller range, not patience.
 */
export const providerTexts: readonly ProviderText[] = [
  reverted(/^(?:vm exception[^:]*: )?(?:execution )?revert/i),
  reverted(/^vm execution error/i),
  reverted(/^evm error/i),
  reverted(/^(?:out of gas|gas uint64 overflow|intrinsic gas too low)/i),
  reverted(/gas required exceeds/i),
  reverted(/^(?:invalid (?:opcode|jump destination|memory access)|stack (?:under|over)flow)/i),
  reverted(/^(?:write protection|return data out of bounds|max code size exceeded)/i),
  reverted(/^execution aborted/i),

  batch(/batch of more than (?<n>\d[\d,]*)/i),
  batch(/batch (?:size )?limit(?: of)? (?<n>\d[\d,]*)/i),
  batch(/batch size[^\d]{1,40}(?<n>\d[\d,]*)/i),
  batch(/batch[^.]{0,40}(?:too (?:large|big|many|long)|not (?:supported|allowed))/i),
  batch(/batch(?![^.]*rate)[^.]{0,40}(?:limit|exceed)/i),
  batch(/(?:too many|maximum)[^.]{0,40}\bbatch\b/i),

  range(/limited to (?:an? |0 - )?(?<n>\d[\d,]*) ?(?:blocks? )?range/i),
  range(/\branges? over (?<n>\d[\d,]*)/i),
  range(/exceed(?:s|ed)? max(?:imum)? block range:? (?<n>\d[\d,]*)/i),
  range(/max block range = (?<n>\d[\d,]*)/i),
  range(/max range: (?<n>\d[\d,]*)/i),
  range(/up to an? (?<n>\d[\d,]*k?) block range/i),
  range(/range [\d,]+ exceeds limit of (?<n>\d[\d,]*)/i),
  range(/blocks distance: (?<n>\d[\d,]*)/i),
  range(/exceeds the range allowed for your plan(?: \([\d,]+ > (?<n>\d[\d,]*)\))?/i),
  range(/range is too large, max is (?<n>\d[\d,]*k?)/i),
  range(/at most (?<n>\d[\d,]*) blocks/i),
  range(/requested too many blocks.{0,80}maximum is set to (?<n>\d[\d,]*)/i),
  range(/number of requested blocks is (?<n>\d[\d,]*)/i),
  range(/block range greater than (?<n>\d[\d,]*) max/i),
  range(/block range exceeds (?<n>\d[\d,]*)/i),
  range(/query must be smaller than size (?<n>\d[\d,]*)/i),
  range(/block range (?:is )?too (?:wide|large)(?: \(maximum (?<n>\d[\d,]*)\))?/i),
  range(/block range limit exceeded|range is too large/i),

  range(/query returned more than/i),
  range(/logs matched by query exceeds limit/i),
  range(/log response size exceeded/i),
  range(/query timed? ?out|query timeout/i),
  range(/response (?:body )?exceeded the size limit/i),
  range(/response (?:is )?too (?:big|large)/i),
  range(/exceeds max results/i),

  rate(/compute units per second/i),
  rate(/credits limited to/i),
  rate(/rate[ _-]?limit/i),
  rate(/too many requests/i),
  rate(/(?:requests?|calls?) (?:limit|count) (?:is |was )?(?:exceeded|reached)/i),
  rate(/exceeded[^.]{0,60}(?:capacity|quota)|capacity exceeded|quota exceeded/i),
  rate(/no backend is currently healthy/i),
  rate(/throttl/i),
  rate(/^limit exceeded/i),

  behind(/header not found|header for hash not found/i),
  behind(/block (?:\S{1,66} )?(?:was |is )?not found|unknown block|could not find block/i),
  behind(/missing trie node|metadata is not found/i),
  behind(/greater than (?:the )?latest|beyond (?:the )?current head|after last accepted block/i),
  behind(/block height is \d+ but requested was \d+/i),
  behind(/historical state.{0,80}not available|state (?:is )?not available|\bpruned\b/i),
  behind(/not currently canonical|requested data is not available|resource not found/i),
  behind(/cannot query unfinalized data/i),
]

/** Beyond this a stated number means logs, bytes or nonsense rather than blocks. */
const statedMax = 100_000_000

const readStated = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const thousands = /k$/i.test(text) ? 1000 : 1
  const stated = Number(text.replace(/[,k]/gi, '')) * thousands
  return stated >= 1 && stated <= statedMax ? stated : null
}

/** "this block range should work: [0x1a, 0x2b]", "retry with the range 49882790-49883500". */
const statedRange =
  /\[(0x[0-9a-f]{1,12}), ?(0x[0-9a-f]{1,12})\]|with the range (\d{1,15})-(\d{1,15})/i

const blocksOfStatedRange = (text: string): number | null => {
  const [, from, to, fromDecimal, toDecimal] = statedRange.exec(text) ?? []
  const blocks = Number(to ?? toDecimal) - Number(from ?? fromDecimal) + 1
  return blocks >= 1 && blocks <= statedMax ? blocks : null
}

/** Texts are read up to here; no known one is half as long. */
const textCharsMax = 2000

/** How an answer said it, besides its words. */
export type FaultContext = {
  readonly code: unknown
  readonly retryAfterSeconds: number | null
  /** The redacted text. */
  readonly detail: string
}

const faultOf = (
  means: Meaning,
  text: string,
  n: number | null,
  of: FaultContext,
): RpcCallFault => {
  const { detail, retryAfterSeconds } = of
  if (means === 'reverted' || means === 'behind') return { kind: means, detail }
  if (means === 'rate') return { kind: 'rate-limited', retryAfterSeconds, detail }
  if (means === 'batch') return { kind: 'batch-too-large', callsMax: n, detail }
  return { kind: 'range-too-large', suggestedBlocks: blocksOfStatedRange(text) ?? n, detail }
}

/** By the table alone; null for a text that is not in it. */
export const faultByText = (message: string, context: FaultContext): RpcCallFault | null => {
  const text = message.slice(0, textCharsMax)
  for (const { means, says } of providerTexts) {
    const match = says.exec(text)
    if (match !== null) return faultOf(means, text, readStated(match.groups?.n), context)
  }
  return null
}

/**
 * The fault of a JSON-RPC error object. Its text decides; of the codes only 429 means the same
 * everywhere (-32602 is one provider's size limit, another's range limit, a third's typing error).
 */
export const faultOfError = (message: string, context: FaultContext): RpcCallFault => {
  const byText = faultByText(message, context)
  if (byText !== null) return byText
  const { code, detail, retryAfterSeconds } = context
  if (code === 429) return { kind: 'rate-limited', retryAfterSeconds, detail }
  return { kind: 'rejected', detail }
}

/** These speak of the account or the address: whatever was asked, the answer would be the same. */
const statusesOfEndpoint: readonly number[] = [401, 402, 403, 404, 405, 410]
const statusesOfQuestion: readonly number[] = [400, 413]

/**
 * The fault of an answer with a status other than 200 whose text says nothing that we know.
 * `explained`: a JSON-RPC error came with it; then even a 500 is a node's opinion of the question
 * (dRPC answers too wide a range with HTTP 500).
 */
export const faultOfStatus = (
  status: number,
  { explained, ...context }: FaultContext & { readonly explained: boolean },
): RpcCallFault => {
  const { detail, retryAfterSeconds } = context
  if (status === 429 || status === 408) return { kind: 'rate-limited', retryAfterSeconds, detail }
  const isAboutEndpoint = statusesOfEndpoint.includes(status)
  const isAboutQuestion = explained || statusesOfQuestion.includes(status)
  return { kind: isAboutQuestion && !isAboutEndpoint ? 'rejected' : 'unreachable', detail }
}
