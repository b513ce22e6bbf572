import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseCommandLine } from '../../src/config/command-line.ts'
import { options } from '../../src/config/options.ts'
import {
  at,
  listAt,
  manifestPaths,
  manifests,
  nameOf,
  ofKind,
  readText,
  readYaml,
  type Yaml,
} from './manifests.ts'

/*
 * No cluster runs the manifests here, so the tests compare them with the service and with each
 * other: a container sets only options of our command line, and what one manifest names exists in
 * another.
 */

const probePaths = [...readText('src/api/routes/service.ts').matchAll(/'(\/[a-z]+)'/g)].map(
  ([, path]) => path,
)

const deployments = ofKind('Deployment')
const containersOf = (deployment: Yaml) => listAt(deployment, 'spec.template.spec.containers')

/** The environment of a container; a secret becomes a valid placeholder. */
const environmentOf = (container: Yaml) =>
  Object.fromEntries(
    listAt(container, 'env').map(({ name, value }) => {
      const secret = name === 'STOCKPOOLS_RPC_URLS' ? 'https://rpc.example/key' : 'secret'
      return [String(name), value === undefined ? secret : value]
    }),
  ) as Record<string, string>

/** Variables that the PostgreSQL driver reads. */
const foreignVariables = ['PGPASSWORD']

test('contains the resources that the documentation lists, all in one namespace', () => {
  const kinds = manifests.map((each) => `${each.kind} ${nameOf(each)}`)
  for (const wanted of [
    'Namespace stockpools',
    'Cluster stockpools-db',
    'Deployment stockpools-indexer',
    'Deployment stockpools-api',
    'Service stockpools-api',
    'HorizontalPodAutoscaler stockpools-api',
    'PodDisruptionBudget stockpools-api',
    'PodDisruptionBudget stockpools-indexer',
  ]) {
    expect(kinds).toContain(wanted)
  }
  for (const each of manifests) {
    expect(each.apiVersion).toMatch(/^([a-z0-9.]+\/)?v\d/)
    if (each.kind !== 'Namespace') expect(at(each, 'metadata.namespace')).toBe('stockpools')
  }
})

test('kustomization.yaml lists every file and names the same image', () => {
  const [kustomization] = readYaml('ops/kubernetes/kustomization.yaml')
  const files = manifestPaths.map((path) => path.replace('ops/kubernetes/', ''))
  expect(listAt(kustomization, 'resources').map(String).sort()).toEqual(
    files.filter((name) => name !== 'kustomization.yaml'),
  )
  const images = deployments.flatMap(containersOf).map(({ image }) => String(image).split(':')[0])
  expect(new Set(images)).toEqual(new Set([at(kustomization, 'images.0.name')]))
})

describe.each(deployments.map((each) => [nameOf(each), each] as const))('%s', (_, deployment) => {
  test('sets only options of our command line', () => {
    for (const container of containersOf(deployment)) {
      const environment = environmentOf(container)
      const known = [
        ...Object.values(options).map((option) => option.environment as string),
        ...foreignVariables,
      ]
      for (const name of Object.keys(environment)) expect(known).toContain(name)
      const args = listAt(container, 'args').map(String)
      const parsed = parseCommandLine({ args, environment, version: '' })
      expect(parsed).toMatchObject({ ok: true, value: { kind: 'run' } })
      expect(args).toEqual([container.name === 'api' ? 'api' : 'index'])
    }
  })

  test('has only the rights that it needs', () => {
    expect(at(deployment, 'spec.template.spec.automountServiceAccountToken')).toBe(false)
    const pod = at(deployment, 'spec.template.spec.securityContext')
    expect(pod).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const container of containersOf(deployment)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(at(container, 'resources.limits.memory')).toBeDefined()
      expect(at(container, 'resources.requests.cpu')).toBeDefined()
    }
  })

  test('has more time to stop than it needs', () => {
    const grace = Number(at(deployment, 'spec.template.spec.terminationGracePeriodSeconds'))
    const waits = containersOf(deployment).map((each) =>
      Number(at(each, 'lifecycle.preStop.sleep.seconds') ?? 0),
    )
    expect(grace).toBeGreaterThanOrEqual(Math.max(...waits) + 10)
  })

  test('selects its own pods and has a disruption budget', () => {
    const labels = at(deployment, 'spec.template.metadata.labels')
    expect(at(deployment, 'spec.selector.matchLabels')).toEqual(labels)
    const budgets = ofKind('PodDisruptionBudget').filter((each) =>
      isDeepStrictEqual(at(each, 'spec.selector.matchLabels'), labels),
    )
    expect(budgets).toHaveLength(1)
  })

  test('reads the password from the secret that the operator creates', () => {
    const [cluster] = ofKind('Cluster')
    const name = cluster === undefined ? '' : nameOf(cluster)
    for (const container of containersOf(deployment)) {
      const password = listAt(container, 'env').find((each) => each.name === 'PGPASSWORD')
      expect(at(password, 'valueFrom.secretKeyRef')).toEqual({
        name: `${name}-app`,
        key: 'password',
      })
      const url = new URL(String(environmentOf(container).STOCKPOOLS_STORE))
      expect([`${name}-rw`, `${name}-ro`, `${name}-r`]).toContain(url.hostname)
      expect(url.pathname).toBe(`/${at(cluster, 'spec.bootstrap.initdb.database')}`)
      expect(url.username).toBe(at(cluster, 'spec.bootstrap.initdb.owner'))
      expect(url.password).toBe('')
    }
  })
})

test('probes and services use the port and the paths of the API', () => {
  const [api] = deployments.filter((each) => nameOf(each) === 'stockpools-api')
  const [container] = api === undefined ? [] : containersOf(api)
  const port = Number(environmentOf(container ?? {}).PORT)
  expect(at(container, 'ports.0')).toEqual({ name: 'http', containerPort: port })
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    expect(at(container, `${probe}.httpGet.port`)).toBe('http')
    expect(probePaths).toContain(at(container, `${probe}.httpGet.path`))
  }
  // Liveness must not depend on what a restart cannot repair.
  expect(at(container, 'livenessProbe.httpGet.path')).toBe('/healthz')
  expect(at(container, 'readinessProbe.httpGet.path')).toBe('/readyz')
  const [service] = ofKind('Service')
  expect(at(service, 'spec.ports.0.targetPort')).toBe('http')
  expect(at(service, 'spec.selector')).toEqual(at(api, 'spec.selector.matchLabels'))
  expect(at(api, 'spec.template.metadata.annotations')).toMatchObject({
    'prometheus.io/port': String(port),
    'prometheus.io/path': '/metrics',
  })
  const policy = ofKind('NetworkPolicy').find((each) => nameOf(each) === 'callers-to-api')
  expect(at(policy, 'spec.ingress.0.ports.0.port')).toBe(port)
})

test('only the autoscaler sets the number of API replicas', () => {
  const [autoscaler] = ofKind('HorizontalPodAutoscaler')
  expect(at(autoscaler, 'spec.scaleTargetRef.name')).toBe('stockpools-api')
  expect(Number(at(autoscaler, 'spec.minReplicas'))).toBeGreaterThanOrEqual(2)
  const [api] = deployments.filter((each) => nameOf(each) === 'stockpools-api')
  expect(at(api, 'spec.replicas')).toBeUndefined()
})

test('every policy selects pods that exist', () => {
  const [cluster] = ofKind('Cluster')
  const pods = [
    ...deployments.map((each) => at(each, 'spec.template.metadata.labels') as Yaml),
    { 'cnpg.io/cluster': cluster === undefined ? '' : nameOf(cluster) },
  ]
  const matchesPod = (labels: unknown) =>
    pods.some((pod) => Object.entries(labels as Yaml).every(([key, value]) => pod[key] === value))
  for (const policy of ofKind('NetworkPolicy')) {
    expect(matchesPod(at(policy, 'spec.podSelector.matchLabels'))).toBe(true)
    const peers = [
      ...listAt(policy, 'spec.ingress').flatMap((rule) => listAt(rule, 'from')),
      ...listAt(policy, 'spec.egress').flatMap((rule) => listAt(rule, 'to')),
    ]
    for (const { podSelector } of peers) {
      if (podSelector !== undefined) expect(matchesPod(at(podSelector, 'matchLabels'))).toBe(true)
    }
  }
})
