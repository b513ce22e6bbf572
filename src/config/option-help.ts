import { type OptionName, options } from './options.ts'

/** Rows of two columns, aligned. */
export const helpColumns = (rows: readonly (readonly [left: string, right: string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/** `required`: options without a default in this command. */
export const optionHelp = (
  names: readonly OptionName[],
  required: readonly OptionName[] = [],
): string =>
  helpColumns(
    names.flatMap((name): (readonly [string, string])[] => {
      const { flag, placeholder, help, environment, defaultText } = options[name]
      const absent = required.includes(name) ? 'required' : `default: ${defaultText}`
      return [
        [`${flag} ${placeholder}`, help],
        ['', `(${environment}; ${absent})`],
      ]
    }),
  )
