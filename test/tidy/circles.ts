import { importsOf } from './imports.ts'
import type { Source, Violation } from './source.ts'

type Edge = { readonly target: string; readonly line: number }

/**
 * Files that import each other in a circle, types included: what depends on itself cannot be read
 * from one end. Each circle is reported once, at the import that closes it.
 */
export const circleViolations = (sources: readonly Source[]): readonly Violation[] => {
  const edges = new Map<string, readonly Edge[]>(
    sources
      .filter(({ isTest }) => !isTest)
      .map((source) => [
        source.path,
        importsOf(source).flatMap(({ target, line }) =>
          target === null ? [] : [{ target, line }],
        ),
      ]),
  )
  const violations: Violation[] = []
  const finished = new Set<string>()

  const visit = (path: string, trail: readonly string[]): void => {
    for (const { target, line } of edges.get(path) ?? []) {
      const start = trail.indexOf(target)
      if (start >= 0) {
        const circle = [...trail.slice(start), target].join(' -> ')
        violations.push({ path, line, what: `an import circle: ${circle}` })
      } else if (!finished.has(target)) visit(target, [...trail, target])
    }
    finished.add(path)
  }

  for (const path of edges.keys()) if (!finished.has(path)) visit(path, [path])
  return violations
}
