export type ParameterView = {
  readonly name: string
  readonly in: 'path' | 'query'
  /** What it must be, in words. */
  readonly rule: string
}

export type EndpointView = {
  readonly method: 'GET' | 'POST'
  /** `:name` stands for a parameter. */
  readonly path: string
  readonly summary: string
  readonly parameters: readonly ParameterView[]
}

/** What the service is, and what can be asked. */
export type IndexView = {
  readonly service: 'stockpools'
  readonly version: 'v1'
  readonly network: string
  /** Whether everything shown is simulated. */
  readonly sandbox: boolean
  readonly notice: string | null
  /** Without a slash at the end. */
  readonly explorerUrl: string | null
  readonly endpoints: readonly EndpointView[]
}
