// Every panel of the page. A new one is a component that takes no props (it talks through stores, usePanel()
// and useTheme()), and a line here; docks, the View menu and the palette follow.
import type { Component } from 'vue';
import type { Activity } from '#renderer/stores/place.ts';
import CompareRuns from './compare/CompareRuns.vue';
import CostMapsPanel from './drive/CostMapsPanel.vue';
import LiveDrivePanel from './drive/LiveDrivePanel.vue';
import RunPage from './runs/RunPage.vue';
import RunsPanel from './runs/RunsPanel.vue';
import RunsView from './runs/RunsView.vue';
import PulsePanel from './pulse/PulsePanel.vue';
import CleanNoisyPanel from './scans/CleanNoisyPanel.vue';
import ScansPanel from './scans/ScansPanel.vue';
import SensorPanel from './sensor/SensorPanel.vue';
import StartDrivePanel from './drive/StartDrivePanel.vue';
import SceneViewPanel from './scene/SceneViewPanel.vue';
import SceneContentsPanel from './sceneEdit/SceneContentsPanel.vue';
import ScenePropertiesPanel from './sceneEdit/ScenePropertiesPanel.vue';
import SceneTextPanel from './sceneEdit/SceneTextPanel.vue';

export interface PanelEntry {
  id: string;
  title: string;
  activity: Activity;
  /** Where it stands in the default layout. Panels of one place share it as tabs, in this order. */
  place: 'left' | 'centre' | 'right' | 'bottom';
  /** Under the panels before it at its place, instead of a tab beside them. */
  isBelow?: boolean;
  /** Opened for a subject (usePanel().subject), several side by side, and in no default layout. */
  isForSubject?: boolean;
  component: Component;
}

export const panels: readonly PanelEntry[] = [
  {
    id: 'scene-view',
    title: 'Scene',
    activity: 'scene',
    place: 'centre',
    component: SceneViewPanel,
  },
  {
    id: 'start-drive',
    title: 'Start a drive',
    activity: 'drive',
    place: 'left',
    component: StartDrivePanel,
  },
  {
    id: 'latest-runs',
    title: 'Latest runs',
    activity: 'drive',
    place: 'left',
    isBelow: true,
    component: RunsPanel,
  },
  {
    id: 'live-drive',
    title: 'Live drive',
    activity: 'drive',
    place: 'centre',
    component: LiveDrivePanel,
  },
  {
    id: 'cost-maps',
    title: 'Cost maps at 10 s',
    activity: 'drive',
    place: 'centre',
    component: CostMapsPanel,
  },
  { id: 'runs', title: 'All runs', activity: 'runs', place: 'centre', component: RunsView },
  {
    id: 'run',
    title: 'Run',
    activity: 'runs',
    place: 'centre',
    isForSubject: true,
    component: RunPage,
  },
  {
    id: 'compare',
    title: 'Compare runs',
    activity: 'runs',
    place: 'centre',
    isForSubject: true,
    component: CompareRuns,
  },
  {
    id: 'scene-contents',
    title: 'Contents',
    activity: 'scene',
    place: 'left',
    component: SceneContentsPanel,
  },
  {
    id: 'scene-text',
    title: 'Text',
    activity: 'scene',
    place: 'left',
    component: SceneTextPanel,
  },
  {
    id: 'scene-properties',
    title: 'Properties',
    activity: 'scene',
    place: 'right',
    component: ScenePropertiesPanel,
  },
  { id: 'sensor', title: 'Sensor', activity: 'scene', place: 'left', component: SensorPanel },
  { id: 'scans', title: 'Scans', activity: 'scene', place: 'left', component: ScansPanel },
  { id: 'pulse', title: 'Pulse', activity: 'scene', place: 'bottom', component: PulsePanel },
  {
    id: 'clean-noisy',
    title: 'Clean and noisy',
    activity: 'scene',
    place: 'bottom',
    component: CleanNoisyPanel,
  },
];
