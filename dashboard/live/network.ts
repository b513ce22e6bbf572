import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Index } from '../../src/client/types.ts'
import { api } from './api.ts'
import { useAnswer } from './use-answer.ts'

/** Network of the service, constant while it runs. */
export type Network = Pick<Index, 'network' | 'sandbox' | 'explorerUrl'>

/** The service may have been restarted with another network. */
const refreshSeconds = 60

/** Null until the first response. */
export const NetworkContext = createContext<Network | null>(null)

export const useNetwork = (): Network | null => useContext(NetworkContext)

export const useNetworkAnswer = (): Network | null =>
  useAnswer({
    key: 'network',
    ask: (signal) => api.index({ signal }),
    everySeconds: refreshSeconds,
  }).value
