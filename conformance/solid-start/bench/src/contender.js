/** The one that this process was started for, and nothing of the others. */
export const contender = await import(`./contenders/${process.env.CONTENDER}.js`)
