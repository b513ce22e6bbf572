import { type Static, Type } from 'typebox'
import { field, record } from './fields.ts'

/** RFC 9457, with an `error` object for simple clients. */
export const ProblemSchema = record('Why there is no answer.', {
  type: field(
    Type.String({ pattern: '^urn:stockpools:error:[a-z_]+$' }),
    'Names the kind of problem.',
    'urn:stockpools:error:invalid_parameter',
  ),
  title: field(Type.String(), 'The kind of problem in words.', 'Invalid parameter'),
  status: field(
    Type.Integer({ minimum: 400, maximum: 599, 'x-unit': 'HTTP status code' }),
    'The status of the reply.',
    400,
  ),
  detail: field(
    Type.String(),
    'What is wrong with this request.',
    'limit must be an integer from 1 to 50 in decimal digits',
  ),
  instance: field(
    Type.String(),
    'The path that was asked for; * if the request could not be read so far.',
    '/api/v1/pools',
  ),
  requestId: field(Type.String(), 'Finds the request in the log.', '5f1c7b9a-1k'),
  error: Type.Object(
    {
      code: field(Type.String({ pattern: '^[a-z_]+$' }), 'For programs.', 'invalid_parameter'),
      message: field(
        Type.String(),
        'The same as detail.',
        'limit must be an integer from 1 to 50 in decimal digits',
      ),
      param: Type.Optional(field(Type.String(), 'The parameter that is at fault.', 'limit')),
    },
    { description: 'The problem for simple clients.', additionalProperties: false },
  ),
})
export type ProblemBody = Static<typeof ProblemSchema>
