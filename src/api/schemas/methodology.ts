import { Type } from 'typebox'
import { field, hashSchema, listOf, record } from './fields.ts'

const ParameterSchema = record('A figure by which numbers are made.', {
  name: field(Type.String(), 'Its name.', 'quoteMaxAgeSeconds'),
  value: field(Type.Number({ 'x-unit': 'as told beside it' }), 'The value in force.', 45),
  unit: field(Type.String(), 'What the value counts.', 'seconds'),
  section: field(Type.String(), 'Where the methodology uses it.', '§3'),
  meaning: field(Type.String(), 'What it decides.', 'A share quote is fresh.'),
})

export const MethodologySchema = record('The rules in force, as figures.', {
  version: field(
    Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
    'Version of the rules; the same in health.',
    '1.0.0',
  ),
  hash: field(
    hashSchema,
    'SHA-256 over version, names and values: the same hash, the same numbers.',
    '0x5f2b7c0d6e8a9f1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3',
  ),
  parameters: field(listOf(ParameterSchema), 'Every figure in force.', []),
})
