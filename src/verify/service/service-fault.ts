import { failure } from '../../domain/outcome.ts'

/** Why the service did not answer: `not-found` is its own answer, about a pool. */
export type ServiceFault = {
  readonly kind: 'unreachable' | 'not-found' | 'refused' | 'malformed'
  /** One sentence without a full stop, in lower case. */
  readonly reason: string
}

export const serviceFault = (
  kind: ServiceFault['kind'],
  reason: string,
): { readonly ok: false; readonly fault: ServiceFault } => failure({ kind, reason })
