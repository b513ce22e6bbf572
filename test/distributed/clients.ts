import { type Api, createApi, eventually } from '../service/api.ts'
import type { Running } from '../setup/processes.ts'

export type { Api }

/** What it has said since its start, once that matches, on a machine that has much else to do. */
export const untilSaid = async (running: Running, pattern: RegExp): Promise<string> => {
  const said = await eventually(
    () => running.says(pattern).catch(() => null),
    (match) => match !== null,
    { waitMs: 0, msMax: 300_000 },
  )
  return said ?? ''
}

/** A client of a process that serves, whether it can answer yet or not. */
export const clientOf = async (running: Running): Promise<Api> =>
  createApi(`http://${await untilSaid(running, /API listening on ([\w.:[\]]+),/)}`)

/** The same, once it can answer everything. */
export const readyClientOf = async (running: Running): Promise<Api> => {
  const api = await clientOf(running)
  const isReady = ({ status }: { readonly status: number }) => status === 200
  await eventually(() => api.ask('/readyz'), isReady, { waitMs: 100, msMax: 300_000 })
  return api
}
