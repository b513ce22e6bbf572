import type { Address } from '../../domain/units.ts'
import { type Column, double, int32, label, timestamp, toHexText } from '../columns.ts'
import { type DayDataset, nothingShared } from '../dataset.ts'
import { numberOf, textOf } from './cells.ts'

const columns: readonly Column[] = [
  label('blockchain'),
  label('token_address'),
  label('token_symbol', 'null'),
  int32('width_seconds'),
  timestamp('time'),
  double('usd'),
  label('source'),
]

const createRows: DayDataset['createRows'] =
  ({ network, tokenOf }, { selection, add }) =>
  ([address, width, ts, usd, source]) => {
    const token = tokenOf(toHexText(textOf(address)) as Address)
    if (!selection.isWantedToken(token.address)) return
    const values = [numberOf(width), numberOf(ts), numberOf(usd), textOf(source)]
    add([network, token.address, token.symbol, ...values], nothingShared)
  }

export const referencesDataset: DayDataset = {
  kind: 'days',
  columns,
  table: 'reference_points',
  blockAt: null,
  createRows,
}
