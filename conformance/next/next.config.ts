import type { NextConfig } from 'next'

export default {
  // The workspace around this has a lock of its own, which Next would take for the root.
  turbopack: { root: import.meta.dirname },
} satisfies NextConfig
