// Every panel of the page. A new one is a component that takes no props (it talks through stores, usePanel()
// and useTheme()), and a line here; docks, the View menu and the palette follow.
import type { Component } from 'vue';
import type { PanelEntry } from '#renderer/stores/frame/panelList.ts';
import { lazyPanel } from './lazyPanel.ts';

export interface RegisteredPanel extends PanelEntry {
  component: Component;
}

export const panels: readonly RegisteredPanel[] = [
  {
    id: 'scene-view',
    title: 'Scene',
    activity: 'scene',
    place: 'centre',
    component: lazyPanel(() => import('./scene/SceneViewPanel.vue')),
  },
  {
    id: 'start-drive',
    title: 'Start a drive',
    activity: 'drive',
    place: 'left',
    component: lazyPanel(() => import('./drive/StartDrivePanel.vue')),
  },
  {
    id: 'latest-runs',
    title: 'Latest runs',
    activity: 'drive',
    place: 'left',
    isBelow: true,
    component: lazyPanel(() => import('./runs/RunsPanel.vue')),
  },
  {
    id: 'live-drive',
    title: 'Live drive',
    activity: 'drive',
    place: 'centre',
    component: lazyPanel(() => import('./drive/LiveDrivePanel.vue')),
  },
  {
    id: 'cost-maps',
    title: 'Cost maps at 10 s',
    activity: 'drive',
    place: 'centre',
    component: lazyPanel(() => import('./drive/CostMapsPanel.vue')),
  },
  {
    id: 'runs',
    title: 'All runs',
    activity: 'runs',
    place: 'centre',
    component: lazyPanel(() => import('./runs/RunsView.vue')),
  },
  {
    id: 'run',
    title: 'Run',
    activity: 'runs',
    place: 'centre',
    isForSubject: true,
    component: lazyPanel(() => import('./runs/RunPage.vue')),
  },
  {
    id: 'compare',
    title: 'Compare runs',
    activity: 'runs',
    place: 'centre',
    isForSubject: true,
    component: lazyPanel(() => import('./compare/CompareRuns.vue')),
  },
  {
    id: 'scene-contents',
    title: 'Contents',
    activity: 'scene',
    place: 'left',
    component: lazyPanel(() => import('./sceneEdit/SceneContentsPanel.vue')),
  },
  {
    id: 'scene-text',
    title: 'Text',
    activity: 'scene',
    place: 'left',
    component: lazyPanel(() => import('./sceneEdit/SceneTextPanel.vue')),
  },
  {
    id: 'scene-properties',
    title: 'Properties',
    activity: 'scene',
    place: 'right',
    component: lazyPanel(() => import('./sceneEdit/ScenePropertiesPanel.vue')),
  },
  {
    id: 'sensor',
    title: 'Sensor',
    activity: 'scene',
    place: 'left',
    component: lazyPanel(() => import('./sensor/SensorPanel.vue')),
  },
  {
    id: 'scans',
    title: 'Scans',
    activity: 'scene',
    place: 'left',
    component: lazyPanel(() => import('./scans/ScansPanel.vue')),
  },
  {
    id: 'pulse',
    title: 'Pulse',
    activity: 'scene',
    place: 'bottom',
    component: lazyPanel(() => import('./pulse/PulsePanel.vue')),
  },
  {
    id: 'clean-noisy',
    title: 'With/without noise',
    activity: 'scene',
    place: 'bottom',
    component: lazyPanel(() => import('./scans/CleanNoisyPanel.vue')),
  },
  {
    id: 'campaigns',
    title: 'Campaigns',
    activity: 'campaigns',
    place: 'left',
    component: lazyPanel(() => import('./campaigns/CampaignListPanel.vue')),
  },
  {
    id: 'campaign-progress',
    title: 'Progress',
    activity: 'campaigns',
    place: 'left',
    isBelow: true,
    component: lazyPanel(() => import('./campaigns/CampaignProgressPanel.vue')),
  },
  {
    id: 'campaign-form',
    title: 'Definition',
    activity: 'campaigns',
    place: 'centre',
    component: lazyPanel(() => import('./campaigns/CampaignFormPanel.vue')),
  },
  {
    id: 'campaign-results',
    title: 'Results',
    activity: 'campaigns',
    place: 'centre',
    component: lazyPanel(() => import('./campaigns/CampaignResultsPanel.vue')),
  },
];
