import { readFile } from 'node:fs/promises'
import type { TextRoute } from '../routes/route.ts'

/** Where the set-up builds the dashboard (bin/setup/dashboard.mjs). */
const built = new URL('../../../dist/dashboard/', import.meta.url)

const contentSecurityPolicyOf = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

const headers = { 'content-security-policy': contentSecurityPolicyOf("'none'") }
/** A chart may stand in anybody's page: it shows what the API tells everybody. */
const embedHeaders = {
  'content-security-policy': contentSecurityPolicyOf('*'),
  'x-frame-options': null,
}

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>stockpools</title></head><body><h1>The dashboard is not built</h1>
<p>The API works: see <a href="/docs">/docs</a>. <code>npm start</code> builds the dashboard, and
<code>npm run build:dashboard</code> does so alone.</p></body></html>
`

const readBuilt = async (name: string): Promise<Buffer | null> => {
  try {
    return await readFile(new URL(name, built))
  } catch {
    return null
  }
}

const common = { cache: 'page', rateLimited: false } as const

/** One page at many paths: which of them it is, its script reads from the address. */
const pageAt = (path: TextRoute['path'], summary: string): TextRoute => ({
  ...common,
  path,
  summary,
  type: 'text/html; charset=utf-8',
  headers: path.startsWith('/embed/') ? embedHeaders : headers,
  render: async () => (await readBuilt('index.html')) ?? notBuilt,
})

const types = {
  'app.js': 'text/javascript; charset=utf-8',
  'draw.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
}

const files: readonly TextRoute[] = Object.entries(types).map(([name, type]) => ({
  ...common,
  path: `/dashboard/${name}`,
  summary: 'A part of the dashboard.',
  type,
  render: () => readBuilt(name),
}))

/** The dashboard and everything that it loads. */
export const dashboardPages: readonly TextRoute[] = [
  pageAt('/', 'The market, looked at.'),
  pageAt('/pools/:id', 'One pool, looked at.'),
  pageAt('/stocks', 'All stocks, looked at.'),
  pageAt('/stocks/:symbol', 'One stock, looked at.'),
  pageAt('/embed/pool/:id', 'The chart of a pool, for the pages of others.'),
  ...files,
]
