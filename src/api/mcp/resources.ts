import { readFile } from 'node:fs/promises'
import { methodologyVersion } from '../../domain/methodology.ts'
import { llmsRoute } from '../routes/llms.ts'
import { methodologyEndpoint } from '../routes/methodology.ts'
import type { RouteContext } from '../routes/route.ts'

/* What a model may read beside the tools: how to use the API, and how its numbers are made. */

type Resource = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly read: (context: RouteContext) => Promise<string>
}

/** Part of the package and of the container. */
const methodologyFile = new URL('../../../docs/methodology.md', import.meta.url)

const markdown = 'text/markdown'
const readMethodology = (): Promise<string> => readFile(methodologyFile, 'utf8')

/** "## 3. References and dollar prices" with all lines until the next section. */
const sectionPattern = /^## (\d+)\. (.+)\n(?:(?!## ).*\n?)*/gm

const fixed: readonly Resource[] = [
  {
    uri: 'stockpools://llms.txt',
    name: 'llms.txt',
    title: 'The API for language models',
    description: 'What to know before using a number, and every endpoint with its parameters.',
    mimeType: 'text/plain',
    read: async (context) => String(await llmsRoute.render(context, {}, '')),
  },
  {
    uri: 'stockpools://methodology',
    name: 'methodology',
    title: `Methodology ${methodologyVersion}`,
    description: 'How every number is made, in full; the sections are resources of their own.',
    mimeType: markdown,
    read: readMethodology,
  },
  {
    uri: 'stockpools://methodology/parameters',
    name: 'methodology parameters',
    title: 'Parameters of the methodology',
    description: 'Every limit and threshold in force, with its unit and section, as JSON.',
    mimeType: 'application/json',
    read: async (context) => {
      const answer = await methodologyEndpoint.respond(context, { path: {}, query: '' })
      if (!answer.ok) throw new Error(answer.fault.detail)
      return answer.value.body
    },
  },
]

const toSection = ([text, number, title]: RegExpMatchArray): Resource => ({
  uri: `stockpools://methodology/${number}`,
  name: `methodology §${number}`,
  title: `Methodology §${number}: ${title}`,
  description: `Section ${number} of the methodology.`,
  mimeType: markdown,
  read: async () => text,
})

const listAll = async (): Promise<readonly Resource[]> => {
  const text = await readMethodology()
  return [...fixed, ...[...text.matchAll(sectionPattern)].map(toSection)]
}

/** Without their contents. */
export const listResources = async (): Promise<readonly Omit<Resource, 'read'>[]> =>
  (await listAll()).map(({ read: _read, ...resource }) => resource)

/** Null if there is no such resource. */
export const readResource = async (
  uri: string,
  context: RouteContext,
): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string } | null> => {
  const found = (await listAll()).find((resource) => resource.uri === uri)
  if (found === undefined) return null
  return { uri, mimeType: found.mimeType, text: await found.read(context) }
}
