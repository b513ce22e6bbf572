import { failure } from '../domain/outcome.ts'

/**
 * Why something is not proved. `mismatch`: the evidence contradicts the hash that it must lead to.
 * `unsupported`: an encoding that is not known here. `malformed`: the node's answer is incomplete.
 */
export type ProofFault = {
  readonly kind: 'mismatch' | 'unsupported' | 'malformed'
  /** One sentence without a full stop, in lower case. */
  readonly reason: string
}

type Failed = { readonly ok: false; readonly fault: ProofFault }

export const mismatch = (reason: string): Failed => failure({ kind: 'mismatch', reason })
export const unsupported = (reason: string): Failed => failure({ kind: 'unsupported', reason })
export const malformedEvidence = (reason: string): Failed => failure({ kind: 'malformed', reason })
