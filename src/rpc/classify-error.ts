import { failure } from '../domain/outcome.ts'
import type { RpcFault } from '../ports/chain-reader.ts'

/**
 * Faults of the port, and three that only this folder handles: the batch exceeds the endpoint's
 * limit, the contract call reverted, or the request took the node too long.
 */
export type RpcCallFault =
  | RpcFault
  | { readonly kind: 'batch-too-large'; readonly callsMax: number | null; readonly detail: string }
  | { readonly kind: 'reverted'; readonly detail: string }
  | { readonly kind: 'too-slow'; readonly detail: string }

export const malformed = (detail: string): { readonly ok: false; readonly fault: RpcCallFault } =>
  failure({ kind: 'malformed', detail })

type TextKind = 'reverted' | 'slow' | 'range' | 'batch' | 'rate' | 'behind'

/** The group `n` captures the limit that the provider states. */
type ProviderText = { readonly kind: TextKind; readonly pattern: RegExp }

const range = (pattern: RegExp): ProviderText => ({ kind: 'range', pattern })
const batch = (pattern: RegExp): ProviderText => ({ kind: 'batch', pattern })
const rate = (pattern: RegExp): ProviderText => ({ kind: 'rate', pattern })
const behind = (pattern: RegExp): ProviderText => ({ kind: 'behind', pattern })
const reverted = (pattern: RegExp): ProviderText => ({ kind: 'reverted', pattern })
const slow = (pattern: RegExp): ProviderText => ({ kind: 'slow', pattern })

/**
 * All known provider texts; the first match wins, and the tests name the providers. Reverts come
 * first because a contract writes the text after "execution reverted". Only a text of the EVM is a
 * contract's answer: "Internal error", a refused gas limit or a missing database is the node's.
 * Rate limits come after ranges because "limited to 10,000 blocks" asks for a smaller range.
 */
export const providerTexts: readonly ProviderText[] = [
  reverted(/^(?:error: )?(?:vm exception[^:]*: )?(?:execution )?revert/i),
  reverted(/^vm execution error/i),
  reverted(/^evm error(?!.{0,80}(?:database|header))/i),
  reverted(/^(?:out of gas|gas uint64 overflow)/i),
  reverted(/^(?:invalid (?:opcode|jump destination|memory access)|stack (?:under|over)flow)/i),
  reverted(/^(?:stack limit reached|max call depth exceeded)/i),
  reverted(/^(?:write protection|return data out of bounds|max code size exceeded)/i),

  slow(/^execution aborted/i),

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

/** A larger stated number cannot mean blocks. */
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

/** Longer texts are cut; no known one is half as long. */
const textCharsMax = 2000

/** Context of an error text. */
export type FaultContext = {
  readonly code: unknown
  readonly retryAfterSeconds: number | null
  /** The redacted text. */
  readonly detail: string
}

const faultOf = (
  textKind: TextKind,
  text: string,
  n: number | null,
  of: FaultContext,
): RpcCallFault => {
  const { detail, retryAfterSeconds } = of
  if (textKind === 'reverted' || textKind === 'behind') return { kind: textKind, detail }
  if (textKind === 'slow') return { kind: 'too-slow', detail }
  if (textKind === 'rate') return { kind: 'rate-limited', retryAfterSeconds, detail }
  if (textKind === 'batch') return { kind: 'batch-too-large', callsMax: n, detail }
  return { kind: 'range-too-large', suggestedBlocks: blocksOfStatedRange(text) ?? n, detail }
}

/** Classifies a text by `providerTexts`; null if none matches. */
export const faultByText = (message: string, context: FaultContext): RpcCallFault | null => {
  const text = message.slice(0, textCharsMax)
  for (const { kind, pattern } of providerTexts) {
    const match = pattern.exec(text)
    if (match !== null) return faultOf(kind, text, readStated(match.groups?.n), context)
  }
  return null
}

/**
 * Classifies a JSON-RPC error object by its text. Of the codes, only 429 has one meaning: -32602 is
 * a size limit, a range limit or a type error, depending on the provider.
 */
export const faultOfError = (message: string, context: FaultContext): RpcCallFault => {
  const byText = faultByText(message, context)
  if (byText !== null) return byText
  const { code, detail, retryAfterSeconds } = context
  if (code === 429) return { kind: 'rate-limited', retryAfterSeconds, detail }
  return { kind: 'rejected', detail }
}

/** Statuses caused by the account or the URL, independent of the request. */
const statusesOfEndpoint: readonly number[] = [401, 402, 403, 404, 405, 410]
const statusesOfRequest: readonly number[] = [400, 413]

/**
 * Classifies a status other than 200 whose text is unknown. `explained` means that a JSON-RPC error
 * came with it; then even a 500 is about the request (dRPC reports a too wide range with HTTP 500).
 */
export const faultOfStatus = (
  status: number,
  { explained, ...context }: FaultContext & { readonly explained: boolean },
): RpcCallFault => {
  const { detail, retryAfterSeconds } = context
  if (status === 429 || status === 408) return { kind: 'rate-limited', retryAfterSeconds, detail }
  const isAboutEndpoint = statusesOfEndpoint.includes(status)
  const isAboutRequest = explained || statusesOfRequest.includes(status)
  return { kind: isAboutRequest && !isAboutEndpoint ? 'rejected' : 'unreachable', detail }
}
