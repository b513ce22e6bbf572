/** Afterwards what the document brought counts as old. */
const keptMs = 5000

const readDocument = (): Map<string, unknown> => {
  const text = document.getElementById('answers')?.textContent
  return new Map(Object.entries(text ? (JSON.parse(text) as Record<string, unknown>) : {}))
}

const known = readDocument()
setTimeout(() => known.clear(), keptMs)

/** What the document brought of this path, for the first frame. */
export const peekFirstAnswer = <T>(path: string): T | undefined => known.get(path) as T | undefined

/** The answer that the document brought to this request, once; null: there is none. */
export const takeFirstAnswer = (target: string): Response | null => {
  const { pathname, search } = new URL(target, location.origin)
  const answer = known.get(pathname + search)
  known.delete(pathname + search)
  return answer === undefined ? null : Response.json(answer)
}
