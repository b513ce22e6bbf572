/** The part of autocannon 9 that is used here; it brings no types of its own. */
declare module 'autocannon' {
  export type Request = {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
    /** Path of a module whose export is called with each request; with workers only. */
    readonly setupRequest?: string
  }
  type Options = {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    /** Seconds that an answer may take. */
    readonly timeout: number
    /** Milliseconds. */
    readonly sampleInt: number
    readonly workers: number
    readonly requests: readonly Request[]
  }
  type Result = {
    readonly requests: { readonly average: number }
    readonly latency: { readonly p99: number }
    readonly non2xx: number
    readonly errors: number
  }
  const autocannon: (options: Options) => Promise<Result>

  // biome-ignore lint/style/noDefaultExport: the form of the package.
  export { autocannon as default }
}
