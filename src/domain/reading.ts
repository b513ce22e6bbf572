/** A value, or the reason why it is unknown; never a default. */
export type Reading<T, Reason extends string = string> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: Reason }

export const known = <T>(value: T): { readonly known: true; readonly value: T } => ({
  known: true,
  value,
})

export const unknown = <Reason extends string>(
  reason: Reason,
): { readonly known: false; readonly reason: Reason } => ({ known: false, reason })
