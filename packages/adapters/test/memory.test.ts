import { adapterSuite } from '@siteauth/testing/adapter'
import { MemoryAdapter } from '../src/memory.ts'

adapterSuite({ name: 'memory', create: () => MemoryAdapter() })
