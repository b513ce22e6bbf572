import type { GrowthPoint } from './rows/growth.ts'

/** Plots row 11 over the number of pools; both axes are logarithmic. */

type Curve = {
  readonly title: string
  readonly unit: string
  readonly color: string
  readonly of: (point: GrowthPoint) => number
}

const curves: readonly Curve[] = [
  { title: 'first page after a block', unit: 'ms', color: '#1f6feb', of: (p) => p.listMs },
  { title: 'block to answer', unit: 'ms', color: '#8250df', of: (p) => p.blockMs },
  { title: 'CPU of a block', unit: 'ms', color: '#bc4c00', of: (p) => p.cpuMsPerBlock },
  { title: 'memory of the process', unit: 'MB', color: '#1a7f37', of: (p) => p.rssMb },
]

const [width, height] = [820, 420]
const area = { left: 70, right: 560, top: 30, bottom: 370 }
/** Smaller values are drawn at the bottom. */
const valueMin = 0.1

type Scale = { readonly at: (value: number) => number; readonly marks: readonly number[] }

const scaleOf = (
  values: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Scale => {
  const logs = values.map((value) => Math.log10(Math.max(valueMin, value)))
  const low = Math.floor(Math.min(...logs))
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)))
  return {
    at: (value) =>
      from + ((Math.log10(Math.max(valueMin, value)) - low) / (high - low)) * (to - from),
    marks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
  }
}

const shown = (value: number): string =>
  value >= 1 ? value.toLocaleString('en', { maximumSignificantDigits: 3 }) : value.toPrecision(1)

const gridOf = (x: Scale, y: Scale): string => {
  const { left, right, top, bottom } = area
  const lines = [
    ...x.marks.map((mark) => [x.at(mark), top, x.at(mark), bottom]),
    ...y.marks.map((mark) => [left, y.at(mark), right, y.at(mark)]),
  ].map(([x1, y1, x2, y2]) => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`)
  const texts = [
    ...x.marks.map((m) => `<text x="${x.at(m)}" y="${bottom + 20}" text-anchor="middle">`),
    ...y.marks.map((m) => `<text x="${left - 8}" y="${y.at(m) + 4}" text-anchor="end">`),
  ]
  const marks = [...x.marks, ...y.marks]
  return [
    `<g stroke="#d0d7de">${lines.join('')}</g>`,
    ...texts.map((text, at) => `${text}${shown(marks[at] ?? 0)}</text>`),
    `<text x="${(left + right) / 2}" y="${bottom + 42}" text-anchor="middle">pools</text>`,
  ].join('\n')
}

const curveOf = (
  { title, unit, color, of }: Curve,
  points: readonly GrowthPoint[],
  { x, y }: { readonly x: Scale; readonly y: Scale },
): string => {
  const places = points.map((point) => [x.at(point.pools), y.at(of(point))] as const)
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${color}"/>`)
  const line = places.map(([cx, cy]) => `${cx.toFixed(1)},${cy.toFixed(1)}`).join(' ')
  const last = points.at(-1)
  const lastAt = places.at(-1)
  const label = last === undefined ? '' : `${title}: ${shown(of(last))} ${unit}`
  return [
    `<polyline points="${line}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...dots,
    `<text x="${(lastAt?.[0] ?? 0) + 10}" y="${(lastAt?.[1] ?? 0) + 4}" fill="${color}">` +
      `${label}</text>`,
  ].join('\n')
}

export const renderPlot = (points: readonly GrowthPoint[]): string => {
  const x = scaleOf(
    points.map(({ pools }) => pools),
    { from: area.left, to: area.right },
  )
  const y = scaleOf(
    points.flatMap((point) => curves.map(({ of }) => of(point))),
    { from: area.bottom, to: area.top },
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      'font-family="system-ui, sans-serif" font-size="12" fill="#57606a">',
    '<title>Page, block and memory over the number of pools</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    gridOf(x, y),
    ...curves.map((curve) => curveOf(curve, points, { x, y })),
    '</svg>\n',
  ].join('\n')
}
