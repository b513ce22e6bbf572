import { Type } from 'typebox'
import type { IndexView } from '../../domain/view/service-view.ts'
import { describes, field, listOf, nullable, record } from './fields.ts'

const ParameterSchema = record('A parameter.', {
  name: field(Type.String(), 'Its name, in this case.', 'limit'),
  in: field(Type.Enum(['path', 'query']), 'Where it stands.', 'query'),
  rule: field(Type.String(), 'What it must be.', 'an integer from 1 to 50 in decimal digits'),
})

const EndpointSchema = record('An endpoint.', {
  method: field(
    Type.Enum(['GET', 'POST']),
    'With GET comes HEAD, and OPTIONS with everything.',
    'GET',
  ),
  path: field(Type.String(), 'Its path; :name stands for a parameter.', '/api/v1/pools/:id'),
  summary: field(Type.String(), 'What it answers.', 'One pool with its series and swaps.'),
  parameters: field(listOf(ParameterSchema), 'What it takes.', []),
})

export const ApiIndexSchema = describes<IndexView>()(
  record('What this service is, and what can be asked.', {
    service: field(Type.Literal('stockpools'), 'The name of the program.', 'stockpools'),
    version: field(Type.Literal('v1'), 'The version of the interface.', 'v1'),
    network: field(Type.String(), 'The network whose pools are shown.', 'robinhood'),
    sandbox: field(Type.Boolean(), 'Whether everything shown is simulated.', false),
    notice: field(nullable(Type.String()), 'What everybody should know first.', null),
    explorerUrl: field(
      nullable(Type.String()),
      "Where the chain's explorer begins: /address/…, /token/… and /tx/… follow.",
      'https://explorer.example',
    ),
    endpoints: field(listOf(EndpointSchema), 'All endpoints.', []),
  }),
)
