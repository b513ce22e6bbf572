import { DatabaseSync } from 'node:sqlite'

/*
 * The least work of a restart in a bare process: read every pool and its volume of the last day.
 */

const { path, afterTs } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly path: string
  readonly afterTs: number
}
const db = new DatabaseSync(path, { readOnly: true })
const pools = db.prepare('SELECT * FROM pools').all()
const volumes = db
  .prepare('SELECT pool, SUM(usd_micro) FROM swaps WHERE ts > ? GROUP BY pool')
  .all(afterTs)
process.send?.({ pools: pools.length, volumes: volumes.length })
