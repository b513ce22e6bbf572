/** Told of every request, for whoever counts them. */
export type Meter = {
  /** A moment in milliseconds, to be handed to `end`. */
  readonly begin: () => number
  readonly end: (
    begunMs: number,
    request: { readonly route: string; readonly status: number },
  ) => void
}
