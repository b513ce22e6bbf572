import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Index } from '../../src/client/types.ts'
import { api } from './api.ts'
import { useAnswer } from './use-answer.ts'

/** What the service says of its network; nothing of it changes while it runs. */
export type Network = Pick<Index, 'network' | 'sandbox' | 'explorerUrl'>

/** It may have been started anew with another one. */
const refreshSeconds = 60

/** Null until it is known. */
export const NetworkContext = createContext<Network | null>(null)

export const useNetwork = (): Network | null => useContext(NetworkContext)

export const useNetworkAnswer = (): Network | null =>
  useAnswer({
    key: 'network',
    ask: (signal) => api.index({ signal }),
    everySeconds: refreshSeconds,
  }).value
