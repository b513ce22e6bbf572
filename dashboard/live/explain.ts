import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Shows how a number of the page's pool was made, by its name in the API. */
export type Explain = (field: string) => void

/** Null where numbers are not those of one pool. */
export const ExplainContext = createContext<Explain | null>(null)

export const useExplain = (): Explain | null => useContext(ExplainContext)
