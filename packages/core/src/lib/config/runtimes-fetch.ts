/** The `fetch` of the runtime, whatever that is when it is called: the default of the port. */
export const runtimesFetch: typeof fetch = (input, init) => fetch(input, init)
