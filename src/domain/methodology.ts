/** Version of the *numbers* (docs/methodology.md): changes with any rule, not with the software. */
export const methodologyVersion = '1.0.0'
