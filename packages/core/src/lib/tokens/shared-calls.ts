/** Lets those who want the same thing at the same time share what the first of them begins. */
export interface Flights {
  join<Result>(key: string, begin: () => Promise<Result>): Promise<Result>
}

/** Makes the {@link Flights} of one process. */
export function createFlights(): Flights {
  const underWay = new Map<string, Promise<unknown>>()
  return {
    join<Result>(key: string, begin: () => Promise<Result>): Promise<Result> {
      const existing = underWay.get(key)
      if (existing) return existing as Promise<Result> // one key, one kind of thing
      const flight = begin().finally(() => underWay.delete(key))
      underWay.set(key, flight)
      return flight
    },
  }
}
