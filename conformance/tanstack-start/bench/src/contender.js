/** The one that this process was started for, and nothing of the others. */
export const contender = import.meta.env.SSR
  ? await import(`./contenders/${process.env.CONTENDER}.js`)
  : {}
