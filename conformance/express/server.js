import { MemoryAdapter } from '@siteauth/adapters/memory'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import express from 'express'
import { createApp } from './dist/application.js'

const config = integrationConfig(process.env, MemoryAdapter())
const app = createApp(express, config, guardProbe(process.env))
app.listen(Number(process.env.PORT), process.env.HOST)
