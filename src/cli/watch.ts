// meshwork watch dashboard|alerts: prints the dashboard for Grafana and the alert rules for Prometheus that belong to this version.

import { defineCommand } from 'citty';
import alerts from '../docs/watch/alerts.yml' with { type: 'text' };
import dashboard from '../docs/watch/grafana.json' with { type: 'json' };
import { expectArguments } from './settings.ts';

export const dashboardVerb = defineCommand({
  meta: { name: 'dashboard', description: 'print the dashboard for Grafana' },
  run: ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    console.log(JSON.stringify(dashboard, null, 2));
  },
});

export const alertsVerb = defineCommand({
  meta: { name: 'alerts', description: 'print the alert rules for Prometheus' },
  run: ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    console.log(alerts.trimEnd());
  },
});
