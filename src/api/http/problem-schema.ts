import { type Static, Type } from 'typebox'
import { field, record } from '../schemas/fields.ts'

/** RFC 9457, with an `error` object for simple clients. */
export const ProblemSchema = record('Why the request failed.', {
  type: field(
    Type.String({ pattern: '^urn:stockpools:error:[a-z_]+$' }),
    'Identifies the kind of problem.',
    'urn:stockpools:error:invalid_parameter',
  ),
  title: field(Type.String(), 'The kind of problem in words.', 'Invalid parameter'),
  status: field(
    Type.Integer({ minimum: 400, maximum: 599, 'x-unit': 'HTTP status code' }),
    'Status of the response.',
    400,
  ),
  detail: field(
    Type.String(),
    'What is wrong with this request.',
    'limit must be an integer from 1 to 50 in decimal digits',
  ),
  instance: field(Type.String(), 'Requested path; * if it could not be parsed.', '/api/v1/pools'),
  requestId: field(Type.String(), 'Identifies the request in the log.', '5f1c7b9a-1k'),
  error: Type.Object(
    {
      code: field(Type.String({ pattern: '^[a-z_]+$' }), 'For programs.', 'invalid_parameter'),
      message: field(
        Type.String(),
        'The same as detail.',
        'limit must be an integer from 1 to 50 in decimal digits',
      ),
      param: Type.Optional(field(Type.String(), 'The parameter at fault.', 'limit')),
    },
    { description: 'The same problem for simple clients.', additionalProperties: false },
  ),
})
export type ProblemBody = Static<typeof ProblemSchema>
