import { describe, expect, test } from 'vitest'
import { parseCommandLine } from '../../src/config/command-line.ts'
import { options } from '../../src/config/options.ts'
import { at, listAt, readText, readYaml, type Yaml } from './manifests.ts'

// Nothing runs the file here, so the tests compare it with the service and with itself.

const [compose] = readYaml('ops/compose.yaml')
const services = at(compose, 'services') as Readonly<Record<string, Yaml>>
const ours = Object.entries(services).filter(([, { image }]) => /^stockpools:/.test(String(image)))

test('two indexers, two API processes, one database, one proxy', () => {
  expect(Object.keys(services).sort()).toEqual(['api', 'indexer', 'postgres', 'proxy'])
  expect(ours.map(([name]) => name)).toEqual(['indexer', 'api'])
  for (const [, service] of ours) expect(at(service, 'deploy.replicas')).toBe(2)
})

describe.each(Object.entries(services))('%s', (_, service) => {
  test('is bounded, restarts, and has only the rights that it needs', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    })
    expect(at(service, 'deploy.resources.limits')).toMatchObject({
      cpus: expect.any(String),
      memory: expect.any(String),
    })
    expect(service.healthcheck).toBeDefined()
    // The proxy's image names its own user.
    if (!String(service.image).includes('unprivileged')) expect(service.user).toMatch(/^\w+$/)
  })

  test('names only networks, volumes and secrets that exist', () => {
    for (const kind of ['networks', 'secrets']) {
      for (const name of listAt(service, kind).map(String)) {
        expect(Object.keys(at(compose, kind) as Yaml)).toContain(name)
      }
    }
    for (const mount of listAt(service, 'volumes').map(String)) {
      const [from = ''] = mount.split(':')
      const volumes = Object.keys(at(compose, 'volumes') as Yaml)
      if (from.startsWith('./')) expect(readText(`ops/${from.slice(2)}`)).not.toBe('')
      else expect(volumes).toContain(from)
    }
  })
})

test.each(ours)('%s sets only options of our command line', (name, service) => {
  const environment = service.environment as Record<string, string>
  const known = [
    ...Object.values(options).map((option) => option.environment as string),
    'PGPASSFILE',
  ]
  for (const variable of Object.keys(environment)) expect(known).toContain(variable)
  const args = listAt(service, 'command').map(String)
  expect(args).toEqual([name === 'api' ? 'api' : 'index'])
  expect(parseCommandLine({ args, environment, version: '' })).toMatchObject({
    ok: true,
    value: { kind: 'run' },
  })
  const url = new URL(String(environment.STOCKPOOLS_STORE))
  expect(url.hostname).toBe('postgres')
  expect(url.username).toBe(at(services.postgres, 'environment.POSTGRES_USER'))
  expect(url.pathname).toBe(`/${at(services.postgres, 'environment.POSTGRES_DB')}`)
  expect(url.password).toBe('')
  const [, pgpass] = /\/run\/secrets\/(\w+)/.exec(String(environment.PGPASSFILE)) ?? []
  expect(listAt(service, 'secrets').map(String)).toContain(pgpass)
})

test('the proxy, the API and the image agree on port, network and health check', () => {
  const environment = services.api?.environment as Record<string, string>
  const proxy = readText('ops/proxy/nginx.conf')
  expect(proxy).toContain(`server api:${environment.PORT} resolve`)
  expect(proxy).toMatch(/location = \/api\/v1\/stream \{[^}]*proxy_buffering off/)
  expect(proxy).toMatch(/location = \/metrics \{\s*return 404/)
  expect(proxy).toContain('X-Forwarded-For $remote_addr;')
  expect(environment.STOCKPOOLS_TRUSTED_PROXIES).toBe(
    at(compose, 'networks.front.ipam.config.0.subnet'),
  )
  const [, inside] = /listen (\d+);/.exec(proxy) ?? []
  expect(listAt(services.proxy, 'ports').map(String)).toEqual([`127.0.0.1:8787:${inside}`])
  const probe = listAt(services.api, 'healthcheck.test').map(String).at(-1)
  expect(readText('ops/Containerfile')).toContain(probe)
  const [, port] = /127\.0\.0\.1:(\d+)\/healthz/.exec(probe ?? '') ?? []
  expect(port).toBe(environment.PORT)
})

test('the file contains no secret', () => {
  for (const secret of Object.values(at(compose, 'secrets') as Readonly<Record<string, Yaml>>)) {
    expect(secret).toEqual({ file: expect.stringMatching(/^secrets\//) })
  }
  expect(readText('.gitignore')).toContain('/ops/secrets/')
})
