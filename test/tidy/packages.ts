import { importsOf, packageOf } from './imports.ts'
import type { Source, Violation } from './source.ts'

type Versions = Readonly<Record<string, string>>
export type PackageFile = {
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
}

const versionsOf = (file: PackageFile): Versions => ({
  ...file.dependencies,
  ...file.devDependencies,
  ...file.optionalDependencies,
})

const packagesOf = (source: Source) =>
  importsOf(source)
    .filter(({ target, specifier }) => target === null && !specifier.startsWith('node:'))
    .map(({ specifier, line }) => ({ name: packageOf(specifier), line }))

const importViolations = (source: Source, file: PackageFile): readonly Violation[] => {
  const isService = source.path.startsWith('src/') && !source.isTest
  const allowed = Object.keys(isService ? (file.dependencies ?? {}) : versionsOf(file))
  return packagesOf(source)
    .filter(({ name }) => !allowed.includes(name))
    .map(({ name, line }) => ({
      path: source.path,
      line,
      what: `${name} is not among the ${isService ? 'dependencies' : 'packages'} of package.json`,
    }))
}

/** Packages that are imported undeclared, declared unused, not pinned, or not explained. */
export const packageViolations = (
  sources: readonly Source[],
  file: PackageFile,
  page: string,
): readonly Violation[] => {
  const imported = new Set(
    sources
      .filter(({ path, isTest }) => path.startsWith('src/') && !isTest)
      .flatMap((source) => packagesOf(source).map(({ name }) => name)),
  )
  const say = (path: string, what: string) => ({ path, line: 1, what })
  const unused = Object.keys(file.dependencies ?? {})
    .filter((name) => !imported.has(name))
    .map((name) => say('package.json', `${name} is a dependency that src does not import`))
  const entries = Object.entries(versionsOf(file))
  const loose = entries
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => say('package.json', `${name} ${version} is not pinned`))
  const unexplained = entries
    .filter(([name, version]) => !page.includes(`| \`${name}\` | ${version} | `))
    .map(([name, version]) => say('docs/dependencies.md', `no row for ${name} ${version}`))
  const explained = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name ?? '')
  const gone = explained
    .filter((name) => !Object.hasOwn(versionsOf(file), name))
    .map((name) => say('docs/dependencies.md', `${name} is not in package.json`))
  const undeclared = sources.flatMap((source) => importViolations(source, file))
  return [...undeclared, ...unused, ...loose, ...unexplained, ...gone]
}
