import { expect, test } from 'vitest'
import { writePythonTypes } from '../../../test/python/python-types.ts'
import { startForTest } from '../../../test/support/api/harness.ts'

/* After a change of a schema, `npx vitest run src/api/docs --update` writes the types again. */

test('the types of the Python client are those of the OpenAPI document', async () => {
  const { request } = await startForTest()
  const types = writePythonTypes((await request('/api/v1/openapi.json')).json())
  await expect(types).toMatchFileSnapshot('../../../clients/python/stockpools/types.py')
})
