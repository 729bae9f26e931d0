import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuthOptions } from '../../../../../bench/lib/site.mjs'

export const auth = betterAuth(betterAuthOptions(memoryAdapter))
