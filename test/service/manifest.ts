import type { Manifest } from '../../sandbox/manifest.ts'
import { readManifest as readJson } from './setup.ts'

/** What the sandbox tells of itself, now. */
export const readManifest = (sandboxDir: string): Manifest => readJson(sandboxDir) as Manifest
