await import(`./.output/${process.env.CONTENDER}/server/index.mjs`)
