import { askStatus } from '../live/service.ts'
import { useAnswer } from '../live/use-answer.ts'

const statusSeconds = 60

/** The network's name; keeps the page's clock right on the way. */
export const useEmbedNetwork = (): string =>
  useAnswer({ key: 'status', ask: askStatus, everySeconds: statusSeconds }).value?.chain.network ??
  ''
