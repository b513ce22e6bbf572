import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ExportedFile, exportedFilePath } from '../../../src/domain/history/exported-file.ts'
import type { ExportManifest } from '../../../src/export/manifest.ts'

const hashOf = (byte: string) => `0x${byte.repeat(32)}` as const

export const exportedChain = { chainId: 4663, network: 'robinhood', originHash: hashOf('aa') }

export type ExportFolder = {
  readonly folder: string
  /** The manifest of these files. */
  readonly manifest: (files: readonly ExportedFile[]) => ExportManifest
  /** Replaces the manifest as an export does: written aside and renamed. */
  readonly list: (manifest: unknown) => void
  /** Writes a file and returns its entry, which is not in the manifest yet. */
  readonly write: (name: FileName, bytes: Buffer) => ExportedFile
  readonly pathOf: (file: ExportedFile) => string
}

type FileName = Pick<ExportedFile, 'dataset' | 'day' | 'format'>

/** A folder of exported files that is gone after the test. */
export const createExportFolder = (): ExportFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    manifest: (files) => ({
      version: 1,
      ...exportedChain,
      methodology: { version: '1.2.0', hash: hashOf('bb') },
      files,
    }),
    list: (manifest) => {
      const aside = join(folder, 'manifest.partial')
      writeFileSync(aside, typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
      renameSync(aside, join(folder, 'manifest.json'))
    },
    write: (name, bytes) => {
      const path = exportedFilePath(name)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
      return {
        ...name,
        path,
        rows: 3,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        fromBlock: { number: 7, hash: hashOf('07') },
        toBlock: { number: 9, hash: hashOf('09') },
        createdTs: 1_795_219_200,
      }
    },
    pathOf: ({ path }) => join(folder, path),
  }
}
