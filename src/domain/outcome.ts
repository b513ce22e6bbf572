/** The result of an operation with expected failures; bugs are thrown. */
export type Outcome<T, Fault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault }

export const success = <T>(value: T): { readonly ok: true; readonly value: T } => ({
  ok: true,
  value,
})

export const failure = <Fault>(fault: Fault): { readonly ok: false; readonly fault: Fault } => ({
  ok: false,
  fault,
})
