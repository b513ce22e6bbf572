import { hash } from 'node:crypto'
import type { Field } from '../http/query.ts'
import { bodyOf } from '../openapi/components.ts'
import type { Endpoint, RawRoute, RouteContext, TextRoute } from '../routes/route.ts'
import { type Html, html } from './html.ts'
import { type FieldRow, listSchemaFields } from './schema-table.ts'

/** The page loads no other resources. */
const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a7d55 }
@media (prefers-color-scheme: dark) { :root { --accent: #4fd1a1 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif }
main, header, nav { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 2.5rem }
h1 { margin: 0; font-size: 2rem } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2.5rem 0 .5rem; font: 600 1.05rem ui-monospace, monospace }
h3, a { overflow-wrap: anywhere } a { color: var(--accent) }
nav ul { columns: 16rem 2; padding-left: 1.2rem }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow: auto; max-height: 28rem; padding: .9rem; border-radius: 6px }
pre, .notice { background: var(--soft) }
table { width: 100%; border-collapse: collapse; font-size: .925rem }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top }
tr { border-top: 1px solid var(--line) }
th { font-weight: 600 } td code { white-space: nowrap } td:last-child code { white-space: normal }
.scroll { overflow-x: auto } .method { color: var(--accent); margin-right: .5rem }
.notice { padding: .6rem .9rem; border-left: 4px solid #d97706 }
summary { cursor: pointer } footer { padding: 3rem 1.25rem; text-align: center; opacity: .7 }
`

const parameterRow = ([name, field]: readonly [string, Field<unknown>], location: string): Html => {
  const absent = 'absent' in field && field.absent !== null ? String(field.absent) : ''
  return html`<tr><td><code>${name}</code></td><td>${location}</td><td>${field.description}</td>
<td>${field.rule}</td><td><code>${absent}</code></td></tr>\n`
}

const parameters = ({ pathFields, queryFields }: Endpoint): Html => {
  const rows = [
    ...Object.entries(pathFields).map((entry) => parameterRow(entry, 'path')),
    ...Object.entries(queryFields).map((entry) => parameterRow(entry, 'query')),
  ]
  if (rows.length === 0) return html``
  return html`<div class="scroll"><table>
<thead><tr>
<th>parameter</th><th>in</th><th>meaning</th><th>must be</th><th>if absent</th>
</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

const fieldRow = ({ path, type, unit, meaning, example }: FieldRow): Html =>
  html`<tr><td><code>${path}</code></td><td>${type}</td>
<td>${unit}</td><td>${meaning}</td>
<td>${example === undefined ? html`` : html`<code>${JSON.stringify(example)}</code>`}</td></tr>\n`

const fieldTable = ({ schema }: Endpoint): Html => html`<div class="scroll"><table>
<thead><tr><th>field</th><th>type</th><th>unit</th><th>meaning</th><th>example</th></tr></thead>
<tbody>
${listSchemaFields(schema).map(fieldRow)}</tbody></table></div>`

/** A path with example parameters. */
const samplePath = ({ path, pathFields, exampleQuery }: Endpoint): string =>
  path.replace(/:(\w+)/g, (_text, name: string) =>
    name === 'id' && 'id' in pathFields ? '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b' : 'NVDA',
  ) + (exampleQuery === undefined ? '' : `?${exampleQuery}`)

const section = (endpoint: Endpoint): Html => html`
<h3 id="${endpoint.operationId}"><span class="method">GET</span>${endpoint.path}</h3>
<p>${endpoint.summary}</p>
${parameters(endpoint)}
<pre>curl 'http://127.0.0.1:8787${samplePath(endpoint)}'</pre>
<details><summary>Example response</summary>
<pre>${JSON.stringify(bodyOf(endpoint).example, null, 2)}</pre></details>
<details><summary>Fields</summary>${fieldTable(endpoint)}</details>
`

const line = ({ path, summary }: TextRoute | RawRoute): Html =>
  path.includes(':')
    ? html`<li>${path}: ${summary}</li>`
    : html`<li><a href="${path}">${path}</a>: ${summary}</li>`

const list = (routes: readonly (TextRoute | RawRoute)[]): Html => html`<ul>${routes.map(line)}</ul>`

const notice = ({ network }: RouteContext): Html =>
  network.sandbox
    ? html`<p class="notice">This is the sandbox: a simulated chain. No number is from a
real market.</p>`
    : html``

const render = (context: RouteContext): string => {
  const { endpoints, textRoutes, rawRoutes } = context.catalogue
  const contents = endpoints.map(
    (endpoint) => html`<li><a href="#${endpoint.operationId}">${endpoint.path}</a></li>`,
  )
  const { html: page } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>stockpools API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${{ html: style }}</style>
</head><body>
<header><h1>stockpools API</h1>
<p>Uniswap v3 and v4 pools of tokenized stocks. Read-only, no authentication, CORS for every
origin. Times are Unix seconds; <code>null</code> is not known, <code>0</code> is observed to be
zero. Old data is a response with a <code>dataStatus</code>, not an error.</p>
${notice(context)}</header>
<nav><ul>${contents}</ul></nav>
<main><h2>Endpoints</h2>${endpoints.map(section)}
<h2>Errors</h2>
<p>Every error is a problem document (RFC 9457): <code>error.code</code> is for
programs,
<code>error.param</code> names the parameter.</p>
<h2>Stream, MCP and files</h2>${list(rawRoutes)}
<h2>Documents</h2>${list(textRoutes)}</main>
<footer>stockpools on network ${context.network.name}</footer></body></html>
`
  return page
}

/** Allows the style above and no scripts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The API documentation as one page without scripts, which works offline. */
export const docsRoute: TextRoute = {
  path: '/docs',
  summary: 'This API as one page for people.',
  type: 'text/html; charset=utf-8',
  cache: 'document',
  rateLimited: true,
  headers: { 'content-security-policy': contentSecurityPolicy },
  render,
}
