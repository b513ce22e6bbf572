import { failure, type Outcome, success } from '../outcome.ts'
import { type Expression, type Operator, parseExpression } from './expression.ts'
import { type FormulaValue, formulaFunctions, type Scalar } from './functions.ts'

/** The inputs of a formula by name. */
export type FormulaInputs = ReadonlyMap<string, FormulaValue>

const isScalar = (value: FormulaValue): value is Scalar =>
  typeof value === 'bigint' || typeof value === 'number'

/** 2^256 is beyond all numbers of a contract. */
const exponentMax = 256

const power = (base: Scalar, exponent: Scalar): bigint | null => {
  const count = Number(exponent)
  if (typeof base !== 'bigint' || !Number.isInteger(count)) return null
  return count < 0 || count > exponentMax ? null : base ** BigInt(count)
}

/** Integers stay exact, except in a division, which takes both sides to JSON's numbers first. */
const operate = (operator: Operator, left: Scalar, right: Scalar): Scalar | null => {
  if (operator === '^') return power(left, right)
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (operator === '+') return left + right
    if (operator === '-') return left - right
    if (operator === '*') return left * right
  }
  const [one, other] = [Number(left), Number(right)]
  if (operator === '+') return one + other
  if (operator === '-') return one - other
  return operator === '*' ? one * other : one / other
}

const valueBy = (expression: Expression, inputs: FormulaInputs): FormulaValue => {
  if (expression.kind === 'literal') return expression.value
  if (expression.kind === 'name') return inputs.get(expression.name) ?? null
  if (expression.kind === 'call') {
    const args = expression.args.map((each) => valueBy(each, inputs))
    const definition = formulaFunctions.get(expression.name)
    if (definition === undefined || (!definition.takesNull && args.includes(null))) return null
    return definition.apply(args)
  }
  const left = valueBy(expression.left, inputs)
  const right = valueBy(expression.right, inputs)
  return isScalar(left) && isScalar(right) ? operate(expression.operator, left, right) : null
}

/** The first name that the formula must not use; null if there is none. */
const faultOf = (expression: Expression, inputs: FormulaInputs): string | null => {
  if (expression.kind === 'literal') return null
  if (expression.kind === 'name') {
    return inputs.has(expression.name) ? null : `the formula has no input ${expression.name}`
  }
  if (expression.kind === 'operation') {
    return faultOf(expression.left, inputs) ?? faultOf(expression.right, inputs)
  }
  const { name, args } = expression
  const definition = formulaFunctions.get(name)
  if (definition === undefined) return `there is no function ${name}`
  if (definition.arity !== null && definition.arity !== args.length) {
    return `${name} takes another number of arguments`
  }
  return args.map((each) => faultOf(each, inputs)).find((fault) => fault !== null) ?? null
}

/**
 * The value of a formula, null where its inputs give none. Fails if the text is no formula, or
 * names an input or a function that does not exist.
 */
export const evaluate = (
  formula: string,
  inputs: FormulaInputs,
): Outcome<number | bigint | null, string> => {
  const expression = parseExpression(formula)
  if (expression === null) return failure('the text is no formula')
  const fault = faultOf(expression, inputs)
  if (fault !== null) return failure(fault)
  const value = valueBy(expression, inputs)
  return value === null || isScalar(value) ? success(value) : failure('the formula gives a list')
}
