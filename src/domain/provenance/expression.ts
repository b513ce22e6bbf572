export type Operator = '+' | '-' | '*' | '/' | '^'

/**
 * A parsed formula (docs/methodology.md §12):
 *
 *     sum     = product (("+" | "-") product)*
 *     product = power (("*" | "/") power)*
 *     power   = atom ("^" atom)?
 *     atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
 */
export type Expression =
  /** Digits without a point are an exact integer. */
  | { readonly kind: 'literal'; readonly value: bigint | number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }

const tokenPattern = /\s*(\d+\.\d+|\d+|[A-Za-z][A-Za-z0-9]*|[-+*/^(),])/y

const tokensOf = (text: string): readonly string[] | null => {
  const tokens: string[] = []
  let at = 0
  const end = text.trimEnd().length
  while (at < end) {
    tokenPattern.lastIndex = at
    const token = tokenPattern.exec(text)?.[1]
    if (token === undefined) return null
    tokens.push(token)
    at = tokenPattern.lastIndex
  }
  return tokens
}

const isName = (token: string): boolean => /^[A-Za-z]/.test(token)
const isNumber = (token: string): boolean => /^\d/.test(token)

const literalOf = (digits: string): Expression => ({
  kind: 'literal',
  value: digits.includes('.') ? Number(digits) : BigInt(digits),
})

/** Formulas have a few levels: what nests deeper is none. */
const depthMax = 40

const createParser = (tokens: readonly string[]) => {
  let at = 0
  let depth = 0

  const take = (...expected: readonly string[]): string | null => {
    const token = tokens[at]
    if (token === undefined || !expected.includes(token)) return null
    at += 1
    return token
  }

  const parseArguments = (): readonly Expression[] | null => {
    const args: Expression[] = []
    do {
      const argument = parseSum()
      if (argument === null) return null
      args.push(argument)
    } while (take(',') !== null)
    return take(')') === null ? null : args
  }

  const parseAtom = (): Expression | null => {
    const token = tokens[at]
    if (token === undefined) return null
    at += 1
    if (isNumber(token)) return literalOf(token)
    if (isName(token)) {
      if (take('(') === null) return { kind: 'name', name: token }
      const args = parseArguments()
      return args && { kind: 'call', name: token, args }
    }
    if (token !== '(') return null
    const inner = parseSum()
    return take(')') === null ? null : inner
  }

  /** Operations of one level, from the left. */
  const parseLevel = (
    parseOperand: () => Expression | null,
    operators: readonly Operator[],
    operationsMax: number,
  ): Expression | null => {
    let left = parseOperand()
    for (let count = 0; count < operationsMax; count++) {
      const operator = take(...operators) as Operator | null
      if (left === null || operator === null) return left
      const right = parseOperand()
      left = right && { kind: 'operation', operator, left, right }
    }
    return left
  }

  const parsePower = () => parseLevel(parseAtom, ['^'], 1)
  const parseProduct = () => parseLevel(parsePower, ['*', '/'], tokens.length)

  const parseSum = (): Expression | null => {
    depth += 1
    const sum = depth > depthMax ? null : parseLevel(parseProduct, ['+', '-'], tokens.length)
    depth -= 1
    return sum
  }

  return () => {
    const sum = parseSum()
    return at === tokens.length ? sum : null
  }
}

/** The text of a formula, parsed; null if it is none. */
export const parseExpression = (text: string): Expression | null => {
  const tokens = tokensOf(text)
  return tokens && createParser(tokens)()
}
