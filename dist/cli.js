#!/usr/bin/env node
import '../scripts/cli.mjs';
