import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where a file of a package lies, by `@scope/name/path`. */
export function pathInPackage(path: string): string {
  const [scope = '', name = '', ...rest] = path.split('/')
  const root = dirname(createRequire(import.meta.url).resolve(`${scope}/${name}/package.json`))
  return join(root, ...rest)
}
