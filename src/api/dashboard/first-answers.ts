import type { Endpoint, RouteContext } from '../routes/route.ts'

/**
 * What every page asks first (dashboard/live/service.ts). All of it comes from memory, so that a
 * page stays cheap to serve.
 */
const questions = [
  { path: '/api/v1', query: '' },
  { path: '/api/v1/status', query: '' },
  { path: '/api/v1/health', query: '' },
  { path: '/api/v1/stocks', query: 'limit=50' },
] as const

const endpointAt = ({ catalogue }: RouteContext, path: string): Endpoint | undefined =>
  catalogue.endpoints.find((endpoint) => endpoint.path === path)

/** The answers by their paths, as JSON that may stand in a script element; without faults. */
const writeAnswers = async (context: RouteContext): Promise<string> => {
  const written = await Promise.all(
    questions.map(async ({ path, query }) => {
      const answer = await endpointAt(context, path)?.respond(context, { path: {}, query })
      if (answer?.ok !== true) return []
      return [`${JSON.stringify(query === '' ? path : `${path}?${query}`)}:${answer.value.body}`]
    }),
  )
  return `{${written.flat().join()}}`.replaceAll('<', '\\u003c')
}

/** The same for all pages of one version of the market. */
export const createFirstAnswers = () => {
  let latest: { readonly version: string; readonly text: Promise<string> } | null = null
  return (context: RouteContext): Promise<string> => {
    const version = context.market.stamp()
    if (latest?.version !== version) latest = { version, text: writeAnswers(context) }
    return latest.text
  }
}
