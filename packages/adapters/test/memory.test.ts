import { adapterSuite } from '@siteauth/testing/adapter'
import { MemoryAdapter } from '../src/memory.ts'
import { extraMethods } from './extra-methods.ts'

adapterSuite({ name: 'memory', create: () => MemoryAdapter() })
extraMethods('memory', async () => MemoryAdapter())
