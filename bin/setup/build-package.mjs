/* Writes lib/, which a package has in the place of src/: JavaScript and the files that it reads. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const lib = join(root, 'lib')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

const compile = (project) => {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, project)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(1)
}

/** Files that the sources read: built-in networks and migrations. */
const isRead = (path) => /\.(json|sql)$/.test(path)
const hasDot = (path) => path.slice(root.length).includes('.')

/** Their code is part of the built dashboard, and their licences ask to be named with it. */
const bundled = ['preact', 'uplot', 'lightweight-charts']

const licenceOf = (name) => {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`
}

rmSync(lib, { recursive: true, force: true })
compile('tsconfig.package.json')
compile('tsconfig.client.json')
cpSync(join(root, 'src'), lib, {
  recursive: true,
  filter: (path) => !hasDot(path) || isRead(path),
})
writeFileSync(
  join(root, 'dist', 'dashboard', 'LICENSES.txt'),
  bundled.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`),
)
