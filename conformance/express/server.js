import { MemoryAdapter } from '@siteauth/adapters/memory'
import { integrationConfig } from '@siteauth/testing/integration-config'
import express from 'express'
import { createApp } from './dist/application.js'

const app = createApp(express, integrationConfig(process.env, MemoryAdapter()))
app.listen(Number(process.env.PORT), process.env.HOST)
