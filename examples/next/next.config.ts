import type { NextConfig } from 'next'

export default {
  // With this, requireSession answers with 403 if a user may not see a page.
  experimental: { authInterrupts: true },
} satisfies NextConfig
