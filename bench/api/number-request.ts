/*
 * Loaded by autocannon's worker, which calls it before each request: no two requests are equal, so
 * that no cached response serves.
 */

type Request = { readonly path: string; readonly body: string | Uint8Array }

let requests = 0

const numberRequest = <R extends Request>(request: R): R => {
  requests += 1
  const digits = String(requests).padStart(9, '0')
  const { path, body } = request
  return {
    ...request,
    path: path.replace('{n}', digits),
    body: typeof body === 'string' ? body.replace('{n}', digits) : body,
  }
}

// autocannon requires the function itself.
export { numberRequest as 'module.exports' }
