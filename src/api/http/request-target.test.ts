import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routableTarget, targetPath } from './request-target.ts'

// The target on the wire, and what the router gets to read.
describe('a request target', () => {
  it.each([
    ['/api/v1/pools', '/api/v1/pools'],
    ['/api/v1/pools?limit=5', '/api/v1/pools?limit=5'],
    ['http://host/api/v1/pools?limit=5', '/api/v1/pools?limit=5'],
    ['HTTP://host:1/api', '/api'],
    ['https://host', '/'],
    ['http://host?limit=5', '/?limit=5'],
    ['ftp://host/api', '/ftp://host/api'],
    ['//host/api', '//host/api'],
    ['*', '/*'],
    ['host:443', '/host:443'],
    ['/a%20b', '/a%20b'],
    ['/%zz', '/%25zz'],
    ['/%c0%80/%20?q=%zz', '/%25c0%2580/%2520?q=%zz'],
    ['/a?q=%zz', '/a?q=%zz'],
    ['/a#b', '/a%23b'],
    ['/a?q=1#b', '/a?q=1%23b'],
  ])('%s is routed as %s', (target, routable) => {
    expect(routableTarget(target)).toBe(routable)
  })

  it('always becomes a decodable path', () => {
    const piece = fc.constantFrom('%', '%c', '%c3', '%89', '/', '?', '#', 'a', '%25', '%2f', 'z')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const routable = routableTarget(pieces.join(''))
        expect(routable).toMatch(/^\/[^#]*$/)
        expect(() => decodeURI(targetPath(routable))).not.toThrow()
      }),
    )
  })
})
