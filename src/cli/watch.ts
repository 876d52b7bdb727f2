// meshwork watch dashboard|alerts: prints the dashboard for Grafana and the alert rules for Prometheus that belong to this version.

import { defineCommand } from 'citty';
import { documents } from '../docs/documents.ts';
import { expectArguments } from './settings.ts';

export const dashboardVerb = defineCommand({
  meta: { name: 'dashboard', description: 'print the dashboard for Grafana' },
  run: ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    console.log(documents()['watch/grafana.json'].trimEnd());
  },
});

export const alertsVerb = defineCommand({
  meta: { name: 'alerts', description: 'print the alert rules for Prometheus' },
  run: ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    console.log(documents()['watch/alerts.yml'].trimEnd());
  },
});
