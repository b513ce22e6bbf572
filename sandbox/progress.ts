/** Progress of the process: a JSON object per line, and the same over IPC. */
export type Progress =
  | { readonly phase: 'compile' | 'resume'; readonly done: number; readonly total: number }
  | { readonly phase: 'deploy' | 'past' | 'start'; readonly done: number; readonly total: number }
  | Ready
  | { readonly phase: 'failed'; readonly reason: string }
  | { readonly phase: 'stopped'; readonly saved: boolean }

export type Ready = {
  readonly phase: 'ready'
  readonly networkFile: string
  readonly manifest: string
  readonly rpcUrl: string
  readonly controlUrl: string
  readonly genesisHash: string
  /** True if the chain was resumed from a saved state. */
  readonly resumed: boolean
  readonly seconds: number
}

export type Report = (progress: Progress) => void
