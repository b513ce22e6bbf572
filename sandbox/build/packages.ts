import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The place of a file of an npm package, which begins with the package's scope and name. Not every
 * package exports its files, so that they cannot be resolved one by one.
 */
export function pathInPackage(path: string): string {
  const [scope = '', name = '', ...rest] = path.split('/')
  const places = createRequire(import.meta.url).resolve.paths(`${scope}/${name}`) ?? []
  const folders = places.map((place) => join(place, scope, name))
  const found = folders.find((folder) => existsSync(folder))
  if (found === undefined) throw new Error(`the package ${scope}/${name} is not installed`)
  return join(found, ...rest)
}
