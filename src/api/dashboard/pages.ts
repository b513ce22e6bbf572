import { readFile } from 'node:fs/promises'
import type { TextRoute } from '../routes/route.ts'
import { createFirstAnswers } from './first-answers.ts'

/** Built by bin/setup/dashboard.mjs. */
const built = new URL('../../../dist/dashboard/', import.meta.url)

const createContentSecurityPolicy = (frameAncestors: string): string =>
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

const headers = { 'content-security-policy': createContentSecurityPolicy("'none'") }
/** Any site may embed a chart, which shows only public data. */
const embedHeaders = {
  'content-security-policy': createContentSecurityPolicy('*'),
  'x-frame-options': null,
}

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>stockpools</title></head><body><h1>The dashboard is not built</h1>
<p>The API works: see <a href="/docs">/docs</a>. <code>npm start</code> builds the dashboard;
<code>npm run build:dashboard</code> builds nothing else.</p></body></html>
`

const readBuilt = async (name: string): Promise<Buffer | null> => {
  try {
    return await readFile(new URL(name, built))
  } catch {
    return null
  }
}

const common = { cache: 'page', rateLimited: false } as const

const isEmbedded = (path: string): boolean => path.startsWith('/embed/')

/** In the document, so that it is seen before anything is asked. */
const sandboxBanner =
  '<p class="banner sandbox"><b>Sandbox</b> A simulated chain with invented prices and traders, ' +
  'not a real market.</p>'

const firstAnswers = createFirstAnswers()

const appElement = '<div id="app"></div>'

/** The same page at every path: its script reads the address. */
const pageAt = (path: TextRoute['path'], summary: string): TextRoute => ({
  ...common,
  cache: 'no-store',
  path,
  summary,
  type: 'text/html; charset=utf-8',
  headers: isEmbedded(path) ? embedHeaders : headers,
  render: async (context) => {
    const page = await readBuilt('index.html')
    if (page === null) return notBuilt
    const banner = context.network.sandbox && !isEmbedded(path) ? sandboxBanner : ''
    const answers = await firstAnswers(context)
    const data = `<script type="application/json" id="answers">${answers}</script>`
    return page.toString().replace(appElement, () => banner + appElement + data)
  },
})

const types = {
  'app.js': 'text/javascript; charset=utf-8',
  'draw.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
}

const files: readonly TextRoute[] = Object.entries(types).map(([name, type]) => ({
  ...common,
  path: `/dashboard/${name}`,
  summary: 'A file of the dashboard.',
  type,
  render: () => readBuilt(name),
}))

export const dashboardPages: readonly TextRoute[] = [
  pageAt('/', 'Dashboard of the market.'),
  pageAt('/pools', 'Dashboard of all pools.'),
  pageAt('/pools/:id', 'Dashboard of one pool.'),
  pageAt('/stocks', 'Dashboard of all stocks.'),
  pageAt('/stocks/:symbol', 'Dashboard of one stock.'),
  pageAt('/embed/pool/:id', 'Embeddable chart of a pool.'),
  ...files,
]
