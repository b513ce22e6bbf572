/** Dates as `MM-DD`, in the order of the year. */
type CalendarYear = { readonly year: number; readonly closed: string; readonly early: string }

/*
 * The calendar of the US stock exchanges in dates, to hold rules against.
 *
 * As published by NYSE Group, "Holiday and Early Closings Calendar", press releases of 2019-12-09
 * (2020-2022), 2020-12-28 (2021-2023), 2021-12-27 (2022-2024), 2022-12-21 (2023-2025), 2024-11-08
 * (2025-2027) and 2025-12-23 (2026-2028). In the order of the year: New Year, King, Washington,
 * Good Friday, Memorial, Juneteenth (from 2022), Independence, Labor, Thanksgiving, Christmas.
 */
const published: readonly CalendarYear[] = [
  {
    year: 2020,
    closed: '01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25',
    early: '11-27 12-24',
  },
  { year: 2021, closed: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24', early: '11-26' },
  {
    year: 2022,
    closed: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26',
    early: '11-25',
  },
  {
    year: 2023,
    closed: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
    early: '07-03 11-24',
  },
  {
    year: 2024,
    closed: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25',
    early: '07-03 11-29 12-24',
  },
  {
    year: 2025,
    closed: '01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25',
    early: '07-03 11-28 12-24',
  },
  {
    year: 2026,
    closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25',
    early: '11-27 12-24',
  },
  {
    year: 2027,
    closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
    early: '11-26',
  },
  {
    year: 2028,
    closed: '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25',
    early: '07-03 11-24',
  },
]
/*
 * Not published yet: the rules of the press releases above, put to wall calendars and to the
 * tables of Easter by hand.
 */
const foretold: readonly CalendarYear[] = [
  {
    year: 2029,
    closed: '01-01 01-15 02-19 03-30 05-28 06-19 07-04 09-03 11-22 12-25',
    early: '07-03 11-23 12-24',
  },
  {
    year: 2030,
    closed: '01-01 01-21 02-18 04-19 05-27 06-19 07-04 09-02 11-28 12-25',
    early: '07-03 11-29 12-24',
  },
  {
    year: 2031,
    closed: '01-01 01-20 02-17 04-11 05-26 06-19 07-04 09-01 11-27 12-25',
    early: '07-03 11-28 12-24',
  },
  {
    year: 2032,
    closed: '01-01 01-19 02-16 03-26 05-31 06-18 07-05 09-06 11-25 12-24',
    early: '11-26',
  },
  { year: 2033, closed: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26', early: '11-25' },
  {
    year: 2034,
    closed: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25',
    early: '07-03 11-24',
  },
  {
    year: 2035,
    closed: '01-01 01-15 02-19 03-23 05-28 06-19 07-04 09-03 11-22 12-25',
    early: '07-03 11-23 12-24',
  },
]

export const calendarYears = [...published, ...foretold]

/** Announced out of turn; see the table of the code for the source. */
export const extraordinary: ReadonlySet<string> = new Set(['2025-01-09'])
