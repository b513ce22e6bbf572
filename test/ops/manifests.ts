import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A value of YAML, as far as it is one of JSON as well. */
export type Yaml = Readonly<Record<string, unknown>>

// It comes without types.
const parser = createRequire(import.meta.url)('js-yaml')
const { loadAll } = parser as { readonly loadAll: (text: string) => readonly Yaml[] }

const root = fileURLToPath(new URL('../../', import.meta.url))

export const readText = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** The documents of one file. */
export const readYaml = (path: string): readonly Yaml[] => loadAll(readText(path))

export const manifestPaths: readonly string[] = globSync('ops/kubernetes/*.yaml', {
  cwd: root,
}).sort()

/** Every document that is applied to a cluster. */
export const manifests: readonly Yaml[] = manifestPaths
  .filter((path) => !path.endsWith('kustomization.yaml'))
  .flatMap(readYaml)

/** What lies at `a.b.0.c`; undefined where nothing does. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Yaml | undefined)?.[key], value)

export const listAt = (value: unknown, path: string): readonly Yaml[] =>
  (at(value, path) as readonly Yaml[] | undefined) ?? []

export const ofKind = (kind: string): readonly Yaml[] =>
  manifests.filter((each) => each.kind === kind)

export const nameOf = (manifest: Yaml): string => String(at(manifest, 'metadata.name'))
