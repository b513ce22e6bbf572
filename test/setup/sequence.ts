import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each of `few` at its even place between `many`. */
const mixed = <T>(many: readonly T[], few: readonly T[]): readonly T[] => {
  const placed = [many, few].flatMap((all) =>
    all.map((each, at) => ({ each, place: (at + 0.5) / all.length })),
  )
  return placed.toSorted((a, b) => a.place - b.place).map(({ each }) => each)
}

/**
 * The order of a whole run. What computes for a minute comes first, or a core would idle at the
 * end; the tests of whole services mostly wait, so they come one by one between the small parts.
 * `abuse` follows in a group of its own.
 */
export const InTurns = class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sources = `${this.ctx.config.root}/src/`
    const kindOf = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'service') return 'waiting'
      if (project.name === 'abuse') return 'alone'
      return project.name === 'unit' || moduleId.startsWith(sources) ? 'small' : 'long'
    }
    const kinds = Map.groupBy(await super.sort(files), kindOf)
    const of = (kind: ReturnType<typeof kindOf>) => kinds.get(kind) ?? []
    return [...of('long'), ...mixed(of('small'), of('waiting')), ...of('alone')]
  }
}
