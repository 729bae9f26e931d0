/** The salt of a `state` that a redirect proxy can read. Part of the wire format. */
export const STATE_PURPOSE = 'encodedState'
