import fc from 'fast-check'

/**
 * The same examples in every run, so that a red run is red again; another set of them with
 * `TEST_SEED=<integer>`.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) })
