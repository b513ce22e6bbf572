import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One line of a Containerfile: `COPY src ./src` is `{ name: 'COPY', text: 'src ./src' }`. */
export type Instruction = { readonly name: string; readonly text: string }

export type Stage = {
  /** What `COPY --from` calls it; the last stage needs no name. */
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export const context = fileURLToPath(new URL('../../', import.meta.url))

export const readStages = (path: string): readonly Stage[] => {
  const lines = readFileSync(join(context, path), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push({ name: text.split(' AS ')[1] ?? '', instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text })
  }
  return stages
}

/** The texts of all instructions of that name. */
export const textsOf = (stage: Stage, name: string): readonly string[] =>
  stage.instructions.filter((each) => each.name === name).map(({ text }) => text)

/** What `ENV` sets: `NODE_ENV=production HOST=0.0.0.0`. */
export const environmentOf = (stage: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    textsOf(stage, 'ENV')
      .flatMap((text) => text.split(' '))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

/** The patterns of .dockerignore, as globs over paths from the context's root. */
const ignored = readFileSync(join(context, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

const isIgnored = (path: string): boolean =>
  ignored.some((glob) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`))

const isFolder = (path: string): boolean => statSync(path).isDirectory()

/** Where `folders` holds each stage's file system: `/app/x` of `packages` is `packages/app/x`. */
export const pathIn = (folders: string, stage: string, path: string): string =>
  join(folders, stage === '' ? 'last' : stage, path)

/** Carries out one COPY: from the context without what .dockerignore names, or from a stage. */
export const copy = (folders: string, stage: Stage, workdir: string, text: string): void => {
  const words = text.split(' ')
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = paths.at(-1) ?? ''
  for (const path of paths.slice(0, -1)) {
    const source = from === undefined ? join(context, path) : pathIn(folders, from, path)
    const place = pathIn(folders, stage.name, resolve(workdir, target))
    // As COPY does: a folder's contents go to the target, a file goes into it if it ends with /.
    const isInto = target.endsWith('/') && !isFolder(source)
    const end = isInto ? join(place, basename(path)) : place
    mkdirSync(dirname(end), { recursive: true })
    cpSync(source, end, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => from !== undefined || !isIgnored(each.slice(context.length)),
    })
  }
}
