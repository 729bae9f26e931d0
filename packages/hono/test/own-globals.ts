import { afterAll } from 'vitest'

const { Request: ownRequest, Response: ownResponse } = globalThis

/** Puts Node's classes back after the tests of a file, which share their globals: Hono's server for Node has its own. */
export function keepOwnGlobals(): void {
  afterAll(() => {
    Object.assign(globalThis, { Request: ownRequest, Response: ownResponse })
  })
}
